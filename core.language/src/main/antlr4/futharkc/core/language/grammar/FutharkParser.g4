/**
 * The grammar of Futhark. Chains are flat: operators are resolved afterwards, and an expression is one sequence of
 * prefixes, operands and infix operators, where if, let, loop, lambda, assert and attributes are prefixes that reach to
 * the end of the sequence. Every decision needs at most three tokens; where an inner and an outer sequence could go on,
 * the inner one does.
 */
parser grammar FutharkParser;

options { tokenVocab = FutharkLexer; }

file : dec* EOF ;

// Declarations

dec
  : DOC? attribute*
    ( valueDec
    | typeDec
    | moduleTypeDec
    | moduleDec
    | openDec
    | importDec
    | localDec
    )
  ;

valueDec
  : (DEF | LET | ENTRY) param (bindingOperator param | typeParam* param*) (COLON typeExp)? EQ exp
  ;

typeDec : TYPE liftedness? ID typeParam* EQ typeExp ;
moduleTypeDec : MODULE TYPE ID EQ moduleType ;
moduleDec : MODULE ID moduleParam* (COLON moduleType)? EQ module ;
openDec : OPEN module ;
importDec : IMPORT STRING ;
localDec : LOCAL+ dec ;

liftedness : TILDE | HAT ;
typeParam
  : (LBRACKET | INDEXING) ID RBRACKET
  | APOSTROPHE ID
  | APOSTROPHE_TILDE ID
  | APOSTROPHE_HAT ID
  ;

attribute : HASH_LBRACKET attributeBody RBRACKET ;
attributeBody
  : ID (LPAR (attributeBody (COMMA attributeBody)* COMMA?)? RPAR)?
  | INT
  | NAT
  ;

// Modules and module types

module : moduleLambda* (moduleAtom+ | IMPORT STRING) (COLON moduleType)* ;
moduleLambda : BACKSLASH moduleParam (COLON moduleTypeAtom)? ARROW ;
moduleAtom : LPAR module RPAR | qualName | LCURLY dec* RCURLY ;
moduleParam : LPAR ID COLON moduleType RPAR ;

// A refinement applies to the last item. It ends the module type: an arrow would belong to its type.
moduleType
  : moduleTypeItem (ARROW moduleTypeItem)* (WITH qualName typeParam* EQ typeExp)*
  ;
moduleTypeItem : LPAR ID COLON moduleType RPAR | moduleTypeAtom ;
moduleTypeAtom : qualName | LCURLY spec* RCURLY | LPAR moduleType RPAR ;

spec
  : DOC? attribute*
    ( VAL (ID | bindingOperator | LPAR bindingOperator RPAR) typeParam* COLON typeExp
    | TYPE liftedness? ID typeParam* (EQ typeExp)?
    | MODULE ID COLON moduleType
    | INCLUDE moduleType
    )
  ;

// Types

typeExp : typeItem (ARROW typeItem)* ;
typeItem : exists* (LPAR ID COLON typeExp RPAR | typeTerm) ;
exists : QUESTION ((LBRACKET | INDEXING) ID RBRACKET)+ DOT ;
// Only constructors may be alternatives. The rule accepts other types for a better error message.
typeTerm : (STAR | size)* (typeAtom typeArg* | variant (PIPE (variant | typeAtom))*) ;
typeAtom
  : qualName
  | LPAR (typeExp (COMMA typeExp)* COMMA?)? RPAR
  | LCURLY (fieldType (COMMA fieldType)* COMMA?)? RCURLY
  ;
typeArg : size | typeAtom ;
fieldType : (ID | NAT) COLON typeExp ;
// The element type of an array payload extends to the end of the variant.
variant : CONSTRUCTOR typeAtom* (size typeTerm)? ;
size : (LBRACKET | INDEXING) exp? RBRACKET ;

qualName : ID (DOT ID)* ;

// Patterns

pat : attribute* patBody (COLON typeExp)? ;
/** A pattern left of an arrow, which must not be taken for part of the type. */
casePat : attribute* patBody (COLON typeTerm)? ;
patBody : CONSTRUCTOR innerPat* | negativeLiteral | simplePat ;
innerPat : CONSTRUCTOR | negativeLiteral | simplePat ;
param : CONSTRUCTOR | simplePat ;
negativeLiteral : MINUS (NAT | INT | FLOAT) ;
simplePat
  : ID
  | UNDERSCORE
  | LPAR (bindingOperator | pat (COMMA pat)* COMMA?)? RPAR
  | LCURLY (fieldPat (COMMA fieldPat)* COMMA?)? RCURLY
  | NAT
  | INT
  | FLOAT
  | CHAR
  | TRUE
  | FALSE
  ;
fieldPat : (ID | NAT) (EQ pat | COLON typeExp)? ;

// Expressions

exp : sequence typing* ;
typing : (COLON | COLON_GT) typeExp ;

sequence : prefix* (atom+ | match) ((infix | lambda) prefix* (atom+ | match))* ;

prefix
  : IF exp THEN exp ELSE
  | letBinding+ IN
  | LOOP pat (EQ exp)? loopForm DO
  | lambda
  | ASSERT atom
  | attribute
  | MINUS
  | BANG
  ;

lambda : BACKSLASH param+ (COLON typeTerm)? ARROW ;

letBinding
  : LET
    ( sizeBinder+ pat
    | ID letAccess+
    | ID (localSizeParam typeParam* | typeTypeParam typeParam*)? param+ (COLON typeExp)?
    | pat
    )
    EQ exp
  ;
sizeBinder : (LBRACKET | INDEXING) ID RBRACKET ;
letAccess : INDEXING dims RBRACKET | DOT (ID | NAT) ;
localSizeParam : LBRACKET ID RBRACKET ;
typeTypeParam : (APOSTROPHE | APOSTROPHE_TILDE | APOSTROPHE_HAT) ID ;

loopForm : FOR ID LT exp | FOR pat IN exp | WHILE exp ;

match : MATCH exp matchCase+ ;
matchCase : CASE casePat ARROW exp ;

infix
  : MINUS
  | STAR
  | LT
  | HAT
  | PIPE
  | OPERATOR
  | QUALIFIED_OPERATOR
  | BACKTICK qualName BACKTICK
  | TWO_DOTS
  | THREE_DOTS
  | TWO_DOTS_LT
  | TWO_DOTS_GT
  | WITH access+ EQ
  ;
access : (LBRACKET | INDEXING) dims RBRACKET | DOT? (ID | NAT) ;

operator
  : STAR
  | LT
  | HAT
  | PIPE
  | OPERATOR
  | QUALIFIED_OPERATOR
  | BACKTICK qualName BACKTICK
  ;
bindingOperator : operator | MINUS | BANG ;

atom
  : ( ID
    | NAT
    | INT
    | FLOAT
    | CHAR
    | STRING
    | TRUE
    | FALSE
    | HOLE
    | CONSTRUCTOR
    | CONSTANT_ARRAY
    | paren
    | array
    | record
    )
    postfix*
  ;
postfix
  : DOT (ID | NAT)
  | DOT LPAR exp RPAR
  | INDEXING dims RBRACKET
  ;

array : LBRACKET (exp (COMMA exp)* COMMA?)? RBRACKET ;
record : LCURLY (field (COMMA field)* COMMA?)? RCURLY ;
field : (ID | NAT) (EQ exp)? ;

paren
  : LPAR
    ( sequence (operator | MINUS | typing* (COMMA exp)* COMMA?)
    | operator sequence?
    | MINUS
    | sectionAccess+
    )?
    RPAR
  ;
sectionAccess : DOT (ID | NAT) | DOT LBRACKET dims RBRACKET | INDEXING dims RBRACKET ;

dims : (dim (COMMA dim)* COMMA?)? ;
dim : sequence (COLON sequence? (COLON sequence)?)? | COLON sequence? (COLON sequence)? ;

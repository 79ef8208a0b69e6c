/** The tokens of Futhark. What depends on neighbouring characters (INDEXING, CONSTANT_ARRAY) is decided by TokenScanner. */
lexer grammar FutharkLexer;

tokens {
  /** A left bracket right after a name, number, or closing parenthesis or bracket: it indexes. */
  INDEXING,
  /** A long array literal that holds nothing but constants; covers its tokens. */
  CONSTANT_ARRAY
}

WHITE_SPACE : [ \t\r\n\f\u000B]+ -> skip ;
DOC : '-- |' LINE ('\n' [ \t\f\u000B]* '--' LINE)* ;
COMMENT : '--' LINE -> skip ;

TRUE : 'true' ;
FALSE : 'false' ;
IF : 'if' ;
THEN : 'then' ;
ELSE : 'else' ;
DEF : 'def' ;
LET : 'let' ;
LOOP : 'loop' ;
IN : 'in' ;
VAL : 'val' ;
FOR : 'for' ;
DO : 'do' ;
WITH : 'with' ;
LOCAL : 'local' ;
OPEN : 'open' ;
INCLUDE : 'include' ;
IMPORT : 'import' ;
TYPE : 'type' ;
ENTRY : 'entry' ;
MODULE : 'module' ;
WHILE : 'while' ;
ASSERT : 'assert' ;
MATCH : 'match' ;
CASE : 'case' ;

ID : NAME ;
CONSTRUCTOR : '#' NAME ;

/** A decimal integer without suffix, which may also be the name of a tuple's component. */
NAT : DECIMAL ;
INT
  : DECIMAL INT_SUFFIX
  | '0' [xX] HEX_DIGITS INT_SUFFIX?
  | '0' [bB] [01] [01_]* INT_SUFFIX?
  | '0' [rR] [IVXLCDM] [IVXLCDM_]* INT_SUFFIX?
  ;
FLOAT
  : DECIMAL '.' DECIMAL EXPONENT? FLOAT_SUFFIX?
  | DECIMAL EXPONENT FLOAT_SUFFIX?
  | DECIMAL FLOAT_SUFFIX
  | '0' [xX] HEX_DIGITS '.' HEX_DIGITS [pP] [+-]? [0-9_]+ FLOAT_SUFFIX?
  ;
CHAR : '\'' (~['\\\r\n] | '\\' ([0-9]+ | ~[0-9\r\n])) '\'' ;
STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' ;
UNCLOSED_STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* ;

LPAR : '(' ;
RPAR : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LCURLY : '{' ;
RCURLY : '}' ;
HASH_LBRACKET : '#[' ;
COMMA : ',' ;
UNDERSCORE : '_' ;
BACKSLASH : '\\' ;
APOSTROPHE : '\'' ;
APOSTROPHE_HAT : '\'^' ;
APOSTROPHE_TILDE : '\'~' ;
BACKTICK : '`' ;
TILDE : '~' ;
QUESTION : '?' ;
HOLE : '???' ;
COLON : ':' ;
COLON_GT : ':>' ;
DOT : '.' ;
TWO_DOTS : '..' ;
THREE_DOTS : '...' ;
TWO_DOTS_LT : '..<' ;
TWO_DOTS_GT : '..>' ;

EQ : '=' ;
ARROW : '->' ;
BANG : '!' ;
MINUS : '-' ;
STAR : '*' ;
LT : '<' ;
HAT : '^' ;
PIPE : '|' ;
OPERATOR : SYMBOL ;
QUALIFIED_OPERATOR : (NAME '.')+ SYMBOL ;

UNKNOWN : . ;

fragment LINE : ~[\n]* ;
fragment NAME : [a-zA-Z] CONSTITUENT* | '_' [a-zA-Z0-9] CONSTITUENT* ;
fragment CONSTITUENT : [a-zA-Z0-9_'] ;
fragment SYMBOL : [+\-*/%=!><|&^] [+\-*/%=!><|&^.]* ;
fragment DECIMAL : [0-9] [0-9_]* ;
fragment HEX_DIGITS : [0-9a-fA-F] [0-9a-fA-F_]* ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;
fragment INT_SUFFIX : [iu] ('8' | '16' | '32' | '64') ;
fragment FLOAT_SUFFIX : 'f' ('16' | '32' | '64') ;

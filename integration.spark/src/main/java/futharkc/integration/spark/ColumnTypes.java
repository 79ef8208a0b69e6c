package futharkc.integration.spark;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The element types of columns. Signed and unsigned integers of one width have the same column
 * type, since they have the same bits.
 */
final class ColumnTypes {
  private ColumnTypes() {}

  /**
   * Returns the element types of columns.
   *
   * @param schema the columns
   * @param entry the entry point whose last parameters take the columns; it chooses between signed
   *     and unsigned types
   * @param shared the number of parameters before the columns
   * @throws IllegalArgumentException if a column has a type that programs cannot take
   */
  static List<ElemType> elements(StructType schema, EntryPoint entry, int shared) {
    List<ElemType> types = new ArrayList<>();
    for (StructField field : schema.fields()) {
      ElemType element = element(field.dataType());
      if (element == null) {
        throw new IllegalArgumentException(
            "Column "
                + field.name()
                + " has type "
                + field.dataType().simpleString()
                + ", but programs take columns of numbers, booleans, dates and timestamps.");
      }
      ElemType taken = taken(entry, shared + types.size());
      boolean sameBits =
          taken != null
              && taken.isInteger()
              && element.isInteger()
              && taken.bytes() == element.bytes();
      types.add(sameBits ? taken : element);
    }
    return types;
  }

  private static @Nullable ElemType taken(EntryPoint entry, int position) {
    return position < entry.parameters().length
            && entry.parameters()[position].type() instanceof ValueType.Array array
        ? array.elem()
        : null;
  }

  private static @Nullable ElemType element(DataType type) {
    if (type.equals(DataTypes.DoubleType)) {
      return ElemType.F64;
    } else if (type.equals(DataTypes.FloatType)) {
      return ElemType.F32;
    } else if (type.equals(DataTypes.LongType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType)) {
      return ElemType.I64;
    } else if (type.equals(DataTypes.IntegerType) || type.equals(DataTypes.DateType)) {
      return ElemType.I32;
    } else if (type.equals(DataTypes.ShortType)) {
      return ElemType.I16;
    } else if (type.equals(DataTypes.ByteType)) {
      return ElemType.I8;
    } else if (type.equals(DataTypes.BooleanType)) {
      return ElemType.BOOL;
    }
    return null;
  }

  /**
   * Returns the columns of a result: {@code value} for an array, the fields of a record, and {@code
   * v0}, {@code v1}, ... for a tuple.
   *
   * @throws IllegalArgumentException if the rows of the result are not scalars
   */
  static StructType ofResult(EntryPoint entry) {
    ValueType result = entry.result();
    ValueType.Field[] fields = Opaques.fields(result);
    if (fields == null) {
      fields = new ValueType.Field[] {new ValueType.Field("value", result)};
    }
    List<StructField> columns = new ArrayList<>();
    for (ValueType.Field field : fields) {
      String name = Character.isDigit(field.name().charAt(0)) ? "v" + field.name() : field.name();
      DataType type =
          field.type() instanceof ValueType.Array array && array.rank() == 1
              ? column(array.elem())
              : null;
      if (type == null) {
        throw new IllegalArgumentException(
            "Entry point "
                + entry.name()
                + " returns "
                + field.type().name()
                + " as column "
                + name
                + ", but columns have scalars as their elements.");
      }
      columns.add(DataTypes.createStructField(name, type, false));
    }
    return DataTypes.createStructType(columns);
  }

  private static @Nullable DataType column(ElemType type) {
    return switch (type) {
      case I8, U8 -> DataTypes.ByteType;
      case I16, U16 -> DataTypes.ShortType;
      case I32, U32 -> DataTypes.IntegerType;
      case I64, U64 -> DataTypes.LongType;
      case F16, F32 -> DataTypes.FloatType;
      case F64 -> DataTypes.DoubleType;
      case BOOL -> DataTypes.BooleanType;
      default -> null;
    };
  }
}

"""Futhark's binary data format, for NumPy values."""

import struct

import numpy as np

_TYPES = {
    "i8": "<i1",
    "i16": "<i2",
    "i32": "<i4",
    "i64": "<i8",
    "u8": "<u1",
    "u16": "<u2",
    "u32": "<u4",
    "u64": "<u8",
    "f16": "<f2",
    "f32": "<f4",
    "f64": "<f8",
    "bool": "?",
}


def dtype(name):
    """Returns the NumPy type of a primitive Futhark type; None for other types."""
    text = _TYPES.get(name)
    return None if text is None else np.dtype(text)


def primitive(type_name):
    """Splits the name of a primitive or array type into its NumPy type and rank; None for other types."""
    rank = 0
    while type_name.startswith("[]", 2 * rank):
        rank += 1
    element = dtype(type_name[2 * rank :])
    return None if element is None else (element, rank)


def write(file, value, type_name):
    """Writes a value of a primitive or array type.

    file: a file that is open for writing bytes
    value: a scalar, or an array of any layout
    type_name: the Futhark type, such as "i32" or "[][]f64"
    Raises TypeError if the value has another rank, or elements that the type cannot hold.
    """
    element, rank = primitive(type_name)
    array = np.asarray(value)
    if array.ndim != rank:
        raise TypeError(f"a value of rank {array.ndim} is not of type {type_name}")
    if array.dtype != element:
        if rank > 0 and array.size > 0 and not np.can_cast(array.dtype, element, "safe"):
            raise TypeError(f"an array of {array.dtype} is not of type {type_name}")
        if rank == 0 and element.kind in "iu" and array.dtype.kind in "iu":
            limits = np.iinfo(element)
            if not limits.min <= int(array) <= limits.max:
                raise TypeError(f"{array} is not of type {type_name}")
        elif rank == 0 and (array.dtype.kind == "b") != (element.kind == "b"):
            raise TypeError(f"{array} is not of type {type_name}")
        elif rank == 0 and element.kind in "iu":
            raise TypeError(f"{array} is not of type {type_name}")
        array = array.astype(element)
    array = np.ascontiguousarray(array).reshape(array.shape)
    name = type_name[2 * rank :]
    file.write(b"b" + struct.pack("<BB4s", 2, rank, name.rjust(4).encode()))
    file.write(struct.pack(f"<{rank}q", *array.shape))
    file.write(array.data if array.size > 0 and rank > 0 else array.tobytes())


def read(file):
    """Reads a value: a NumPy scalar, or a new array."""
    head = file.read(7)
    if len(head) < 7 or head[:1] != b"b" or head[1] != 2:
        raise ValueError("not a value in the binary format, version 2")
    rank = head[2]
    element = dtype(head[3:].decode().strip())
    shape = struct.unpack(f"<{rank}q", file.read(8 * rank))
    array = np.empty(shape, element)
    if rank == 0:
        return np.frombuffer(file.read(element.itemsize), element)[0]
    if array.size > 0:
        file.readinto(array.reshape(-1).view(np.uint8).data)
    return array

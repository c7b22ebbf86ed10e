"""Packs pictures as HEIC and AVIF by the system's libheif."""

import ctypes
import ctypes.util

COMPRESSIONS = {"heic": 1, "avif": 4}  # heif_compression_HEVC, heif_compression_AV1


class HeifError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("subcode", ctypes.c_int), ("message", ctypes.c_char_p)]


def load():
    """The library, or None if it is not there."""
    name = ctypes.util.find_library("heif")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    for function in ("heif_context_get_encoder_for_format", "heif_image_create", "heif_image_add_plane",
                     "heif_context_encode_image", "heif_context_write_to_file"):
        getattr(library, function).restype = HeifError
    library.heif_context_alloc.restype = ctypes.c_void_p
    library.heif_image_get_plane.restype = ctypes.POINTER(ctypes.c_ubyte)
    return library


def write(library, path, format_name, picture):
    """Writes a grey picture in colour into the file of a path in bytes. False if the library has no encoder for the format."""
    context, encoder, image = ctypes.c_void_p(library.heif_context_alloc()), ctypes.c_void_p(), ctypes.c_void_p()

    def call(function, *arguments):
        error = getattr(library, function)(*arguments)
        if error.code != 0:
            raise RuntimeError(f"{function}: {error.message.decode()}")

    try:
        call("heif_context_get_encoder_for_format", context, COMPRESSIONS[format_name], ctypes.byref(encoder))
    except RuntimeError:
        library.heif_context_free(context)
        return False
    # heif_colorspace_RGB, heif_chroma_interleaved_RGB and heif_channel_interleaved are 1, 10 and 10.
    call("heif_image_create", picture.width, picture.height, 1, 10, ctypes.byref(image))
    call("heif_image_add_plane", image, 10, picture.width, picture.height, 8)
    stride = ctypes.c_int()
    plane = library.heif_image_get_plane(image, 10, ctypes.byref(stride))
    for y, row in enumerate(picture.rows):
        line = bytes(value for pixel in row for value in (pixel, pixel, pixel))
        ctypes.memmove(ctypes.addressof(plane.contents) + y * stride.value, line, len(line))
    call("heif_context_encode_image", context, image, encoder, None, None)
    call("heif_context_write_to_file", context, path)
    library.heif_image_release(image)
    library.heif_encoder_release(encoder)
    library.heif_context_free(context)
    return True

"""The core: from chunks to a context, and back; pure functions on frozen dataclasses.

Read `model` first, then `assemble`. Nothing here does input or output, or knows the rest of the project.
"""

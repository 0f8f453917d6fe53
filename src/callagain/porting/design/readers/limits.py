"""How much the readers read. A design is far below all of it; beyond it, a file is damaged or a trick."""

MEBIBYTE = 1024 * 1024

MAX_JSON_BYTES = 32 * MEBIBYTE
"""Of a Studio export or a design.json; real exports have some megabytes, most of it schema documents."""

MAX_JSON_DEPTH = 256
"""Schema documents in an export are trees, two levels of JSON for each of theirs."""

MAX_SCRIPT_BYTES = 4 * MEBIBYTE
MAX_FLOWCHART_CHARACTERS = 256 * 1024

MAX_FILES = 20_000
"""Script files below a folder, and files and folders that are looked at to find them."""

MAX_FOLDER_DEPTH = 32

MAX_ARCHIVE_BYTES = 256 * MEBIBYTE
MAX_DIRECTORY_BYTES = 8 * MEBIBYTE
"""Of the list of members at the end of an archive, which is read whole before anything else."""

MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 16 * MEBIBYTE
MAX_UNPACKED_BYTES = 128 * MEBIBYTE

MAX_RATIO = 200
"""Unpacked to packed bytes of a member that is larger than a mebibyte; XML packs to a twentieth or so."""

MAX_XML_DEPTH = 100
MAX_XML_ELEMENTS = 200_000

MAX_NODES = 2_000
MAX_EDGES = 10_000
"""Of a flowchart; `A & B --> C & D` makes four edges of five words."""

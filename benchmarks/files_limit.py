"""A thousand connections need more open files than a process may have by default."""

import resource


def raise_files_limit() -> None:
    """To what this user may have at the most."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS calls its limit infinite, and refuses more than that.
    wanted = 10_240 if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

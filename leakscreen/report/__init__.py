"""The results of a scan -> one self-contained HTML page for people."""

from leakscreen.report.render import render_report

__all__ = ["render_report"]

"""The studio: a local page to draw, solve, compare and run worlds live. `sidestep studio` serves it.

`guard.py` decides who may speak to the server, `app.py` has its routes and `conversation.py` what a page may
ask for over its socket. All work is done by processes of `worker.py`, which `pool.py` starts, feeds and ends;
`jobs.py` and `live.py` are what such a process can do. Nothing else in sidestep imports this package.
"""

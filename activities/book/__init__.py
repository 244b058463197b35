"""The board book: what a board is given to read before it meets (issue 3, Build 1).

`building.build_book` reads a context folder (`folder`, `reading`, `sources`, `views`), holds its views against its raw
data (`checking`) and its goals against their plans (`drift`); `rendering.render_book` writes it as Markdown, and
`pressing.topics` says what of it presses most. Nothing here knows the store: what the record knows is given as `values`.
"""

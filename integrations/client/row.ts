// A row of the table of operations.

/** Facts of an operation's request: method, path below `/method/`, and what differs from the usual. */
export type Row = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  odd?: {
    /** Value of `v`; usually `1`. */
    readonly v?: string
    /** Common parameters; usually both. */
    readonly carries?: readonly string[]
    /** Parameters in the query of a call with a body. */
    readonly inQuery?: readonly string[]
    readonly multipart?: true
    /** A write without a body. */
    readonly query?: true
    /** Must not be sent again after a 401. */
    readonly never?: true
    /** Success is a redirect. */
    readonly redirects?: true
  },
]

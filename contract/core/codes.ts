// Wire values for languages and clients. Separate from the schemas, so that pages without requests need not load those.

/** Languages; `cn` is Simplified Chinese (brief 4.1). */
export const languages = ['en', 'ru', 'cn'] as const

/** Kinds of client (brief 4.1). */
export const apps = ['site', 'admin', 'mobile', 'desktop'] as const

/** Name of the relay node of a single-server installation. */
export const ownNode = 'here'

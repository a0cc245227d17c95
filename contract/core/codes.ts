// The wire's own words for languages and kinds of client. Apart from the schemas, which a page that asks nothing does without.

/** Languages; `cn` is Simplified Chinese (brief 4.1). */
export const languages = ['en', 'ru', 'cn'] as const

/** Kinds of client (brief 4.1). */
export const apps = ['site', 'admin', 'mobile', 'desktop'] as const

/** What the relay node beside a service that is alone is called: it needs no other name. */
export const ownNode = 'here'

// Shapes of the facts of a platform. `contract/platforms/<type>/facts.ts` has the values, and the `*.gen.ts` list them.
// A browser bundle keeps only the values that it uses.

/** Abilities, by their published names. */
export const abilities = [
  'is_adding',
  'oauth',
  'read_chat',
  'write_chat',
  'edit_name',
  'set_title',
  'set_description',
  'created_stream',
  'rtmp_url',
  'rtmp_key',
  'planned',
  'options',
  'url_stream',
  'viewers',
  'messages',
  'like',
] as const
export type Ability = (typeof abilities)[number]

/** `export const facts`: identity and abilities. */
export interface Facts {
  /** 1 VK, 2 Twitch and 4 YouTube are published; the others are decided. */
  readonly id: number
  /** Position on the pages; without it, the id. */
  readonly order?: number
  /** Proper noun, the same in every language. */
  readonly title: string
  /** Site of the platform; empty without one. */
  readonly url: string
  /**
   * Abilities that come together. `key`: channels by address and key; `account`: also by a connected account; `closed`: closed,
   * or takes no new streams, and existing channels stay; `other`: none.
   */
  readonly kind: 'key' | 'account' | 'closed' | 'other'
  /** Abilities besides those of the kind. */
  readonly can?: readonly Ability[]
  /** Published operation that adds its channels by address and key: with a name, or with the address of a page. No new ones. */
  readonly published?: 'name' | 'page'
  /** Its API takes stream settings. OK has a published form, and no API for it. */
  readonly settings?: true
  /** Kinds of accounts, their titles, and the OAuth registrations that connect them. */
  readonly accounts?: Readonly<Record<string, { readonly title: string; readonly oauth: string }>>
  /** One account streams to several places, each of which becomes a channel. */
  readonly places?: true
  /** It has a list of categories that can be searched. */
  readonly categories?: true
  /** Writing and moderating in chat need permissions of their own. */
  readonly chatPermission?: true
  /** Its chats are connected by the bot of the service. */
  readonly bot?: true
  /** What it needs of a stream, so that it shows it: keyframe distance in milliseconds, and sound in kbps. */
  readonly needs?: { readonly gopMs?: number; readonly audioKbps?: number }
  /** Any server instead of a platform. */
  readonly generic?: true
  /** Article of the handbook, as in `src/lib/articles.ts`; without it, the one about streaming by key. */
  readonly article?: string
}

/** `export const mark`: its sign. A background with an `icon` has the brand's colour, darker where white would not be readable. */
export interface Mark {
  /** One or two letters of the name; empty for a generic one. */
  readonly letters: string
  /** CSS colours. None is the red that means "on air". */
  readonly ground: string
  readonly ink: string
}

/** `export const servers`: where its streams go. */
export interface Servers {
  /** Public ingest addresses, the best one first. None: the platform assigns an address to each user. */
  readonly addresses: readonly { readonly title: string; readonly url: string }[]
  /** Domains of its servers; a domain stands for its subdomains as well. Streams to other servers need a plan that allows them. */
  readonly hosts: readonly string[]
  /** Page of the platform that shows the key. */
  readonly keyUrl?: string
}

/** `export const chat`: abilities of its chat, and their conditions. Sources: docs/chat-platforms.md. */
export interface ChatFacts {
  /**
   * Condition of reading: the page of the channel, a connected account, the page and a registration, or a bot. `page+key`: an
   * account, or the page where the service has a key for public data.
   */
  readonly read: 'page' | 'account' | 'page+setup' | 'page+key' | 'bot'
  /** Needs of the service for it: a registration, also a public address for webhooks, or a key for public data. */
  readonly setup?: 'registration' | 'registration+url' | 'key'
  /** Scopes of each command: all of them have to be granted; null: no such command. */
  readonly send: readonly string[] | null
  readonly reply: boolean
  readonly remove: readonly string[] | null
  readonly restrict: {
    readonly how: 'ban' | 'timeout'
    /** Longest timeout, seconds. */
    readonly max: number | null
    readonly scopes: readonly string[]
  } | null
  /** Characters of a message. */
  readonly textMax: number
  readonly rate: { readonly messages: number; readonly seconds: number }
  /** Page with the chat alone; `{name}` stands for the name in the address of the channel's page. */
  readonly popout: string | null
  /** Hosts of its images (emoji, badges, avatars), with their subdomains. */
  readonly images: readonly string[]
  /** Message ids are unique among all its chats. Twitch repeats messages of shared chats under one id. */
  readonly globalIds?: true
  /** A chat is found by the id of the channel as well as by its page. */
  readonly byId?: true
  /** Reading spends the installation's quota. */
  readonly quota?: true
}

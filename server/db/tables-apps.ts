// Tables of third-party apps and of widgets.
import type { Generated } from 'kysely'

export interface AppTables {
  apps: {
    id: Generated<number>
    /** Developer of the app. */
    user_id: number
    client_id: string
    /** Hash of the client secret; null: a public client, which has none. */
    secret_hash: string | null
    name: string
    website: string
    /** Name in `files`. */
    picture: string | null
    /** JSON list. */
    redirect_uris: string
    /** Separated by spaces. */
    scopes: string
    date_create: string
  }
  /** Consents. Scopes, project and end of a grant are those of its token family. */
  app_grants: {
    id: Generated<number>
    /** Hash of the id that the authorization server gave it. */
    hash: string
    family_id: number
    app_id: number
    date_use: string | null
    /** Network of the last use, without the part that identifies a household. */
    use_address: Generated<string>
    /** `User-Agent` of the last use. */
    use_program: Generated<string>
  }
  /** Pages for OBS with settings. Scopes, project and end of their tokens are those of their token families. */
  widgets: {
    id: Generated<number>
    project_id: number
    /** One of `widgetKinds`. */
    kind: string
    name: string
    /** JSON of `WidgetSettings`. */
    payload: string
    /** Null: the session of its token was deleted. */
    family_id: number | null
    hash: string
    /** Last four characters of the token. */
    hint: string
    date_create: string
    date_use: string | null
    /** As those of `app_grants`. */
    use_address: Generated<string>
    use_program: Generated<string>
  }
  /** State of the authorization server: codes, tokens, interactions. */
  app_records: {
    /** Model of the library, for example `AccessToken`. */
    kind: string
    hash: string
    /** Sealed JSON. */
    sealed: string
    grant_hash: string | null
    uid_hash: string | null
    user_code_hash: string | null
    /** Of an access token: its scopes, separated by spaces; null: those of its grant. */
    scopes: string | null
    date_expire: string
    date_consume: string | null
  }
}

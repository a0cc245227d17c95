// OK: REST API (apiok.ru/en/dev/methods). Calls are signed with the secret of the application and the token; address
// and key of a stream are made by the person at OK and pasted.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Fault, ProviderApi } from '#server/core/platform-api.ts'
import type { PlatformChannel, PlatformAdapter } from '#server/core/platform-adapter.ts'

const url = 'https://api.ok.ru/fb.do'

const Failed = z.object({ error_code: z.int(), error_msg: z._default(z.string(), '') })
const Person = z.object({ uid: z.string(), name: z.string(), pic128x128: z._default(z.string(), '') })
const Groups = z.object({
  groups: z._default(z.nullable(z.array(z.object({ groupId: z.string(), status: z._default(z.string(), '') }))), []),
})
const Info = z.object({
  uid: z.string(),
  name: z.string(),
  picAvatar: z._default(z.string(), ''),
  members_count: z._default(z.int(), 0),
})

/** 102, 103: invalid session. 1, 2, 10, 11: temporary failure or rate limit. */
function faultOf(body: unknown): Fault | null {
  const { success, data } = Failed.safeParse(body)
  if (!success) return null
  if ([102, 103].includes(data.error_code)) return 'unauthorized'
  return [1, 2, 10, 11].includes(data.error_code) ? 'busy' : { reason: data.error_msg.slice(0, 200) }
}

export const ok: PlatformAdapter = {
  account: 'ok',
  provider: 'ok',
  single: false,
  scopes: ['VALUABLE_ACCESS', 'LONG_ACCESS_TOKEN', 'VIDEO_CONTENT', 'GROUP_CONTENT'],
  headers: () => ({}),
  faultOf,

  async identify(api) {
    const { uid, name, pic128x128 } = await ownPerson(api)
    return { id: uid, name, avatar: pic128x128 }
  },

  async channels(api) {
    const { uid, name, pic128x128 } = await ownPerson(api)
    const own: PlatformChannel = { id: uid, name, photo: pic128x128, members: 0, url: `https://ok.ru/profile/${uid}` }
    const { groups } = await method(api, 'group.getUserGroupsV2', { count: '100' }, Groups)
    const uids = (groups ?? []).filter(({ status }) => leads.has(status)).map(({ groupId }) => groupId)
    if (uids.length === 0) return [own]
    const asked = { uids: uids.join(','), fields: 'uid,name,pic_avatar,members_count' }
    const infos = await method(api, 'group.getInfo', asked, z.array(Info))
    const rest = infos.map((one) => ({
      id: one.uid,
      name: one.name,
      photo: one.picAvatar,
      members: one.members_count,
      url: `https://ok.ru/group/${one.uid}`,
    }))
    return [own, ...rest]
  },
}

/** Roles that may stream into a group. */
const leads = new Set(['ADMIN', 'MODERATOR'])

const ownPerson = (api: ProviderApi) => method(api, 'users.getCurrentUser', { fields: 'uid,name,pic128x128' }, Person)

function method<O>(
  api: ProviderApi,
  name: string,
  parameters: Readonly<Record<string, string>>,
  answer: z.ZodMiniType<O>,
): Promise<O> {
  const { okPublicKey, providers } = api.settings
  const signed = { ...parameters, application_key: okPublicKey, format: 'json', method: name }
  const key = md5(`${api.token}${providers.ok?.secret ?? ''}`)
  const text = Object.entries(signed)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, value]) => `${field}=${value}`)
    .join('')
  return api.call({ url, form: { ...signed, sig: md5(`${text}${key}`), access_token: api.token } }, answer)
}

/** Signature of OK's API; the token is the secret. */
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

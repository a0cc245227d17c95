// A channel as the wire shows it to one member of one project.
import type { DestinationState } from '#contract/relay/reports.ts'
import { hasHealing, tracksOf } from '#server/domain/channels/change.ts'
import { type Channel, maskedSecret } from '#contract/entities/channel.ts'
import { type AccessType, rightOfMember, roleCan } from '#contract/entities/roles.ts'
import type { Services } from '#server/core/context.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { type ChannelSecret, unsealSecret } from '#server/domain/channels/secrets.ts'
import type { ChannelRow } from '#server/domain/channels/channels.ts'
import { wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import { abilities, type Ability, type Servers } from '#contract/platforms/facts.ts'
import { factsOf, hasAbility, type PlatformType } from '#contract/platforms/platforms.ts'
import { servers } from '#contract/platforms/servers.gen.ts'
import { readSettings, streamInfoOf } from '#server/domain/channels/stream-info.ts'

/** Role and origin of the caller. */
export interface ChannelView {
  readonly role: AccessType
  readonly origin: string
  /** Includes the key for editors; lists never do. */
  readonly withKey: boolean
  /** States on air, by channel (`statesOf`). */
  readonly states: ReadonlyMap<number, DestinationState>
}

/** Presents the facts of a platform. */
export function presentPlatform(type: PlatformType) {
  const { id, title, url } = factsOf(type)
  const { addresses, keyUrl = '' }: Servers = servers[type]
  const flags = abilities.map((ability) => [ability, hasAbility(type, ability) ? 1 : 0])
  return {
    id,
    type,
    title,
    url,
    extension: 'svg' as const,
    ...(Object.fromEntries(flags) as Record<Ability, 0 | 1>),
    ingests: [...addresses],
    own_url: addresses.length === 0 ? (1 as const) : (0 as const),
    key_url: keyUrl,
  }
}

/** Presents a channel. Keys are for editors of the project that owns it. */
export function presentChannel(
  services: Pick<Services, 'config'>,
  row: ChannelRow,
  { role, origin, withKey, states }: ChannelView,
): Channel {
  const own = row.owner_project_id === row.project_id
  const isShown = withKey && own && roleCan(role, 'editor')
  const secret = isShown ? unsealSecret(services, row.secret_sealed) : null
  // A key that cannot be read is empty for editors, so that they enter it again.
  const isEmpty = row.secret_sealed === null || (isShown && secret === null)
  const status = statusOf(states.get(row.id) ?? 'stopped', row.transcoder_id)
  const { title, type, url, extension, edit_name } = presentPlatform(row.type)
  return {
    name: row.name,
    id: row.external_id,
    ...(row.transcoder_id === null ? {} : { transcoderId: row.transcoder_id }),
    group_id: row.id,
    type: row.type,
    photo_default: fileUrl(origin, row.photo),
    sell: false,
    price: 0,
    live: status === 'live',
    status,
    user_id: row.user_id,
    active: row.active === 1,
    guestsNum: Number(row.projects) - 1,
    guestRights: own ? null : row.access_type,
    usageType: own ? 0 : 1,
    companyRole: null,
    threads: 1,
    streamInfo: streamInfoOf(readSettings(row.settings)),
    rtmp: rtmpOf(row.address, secret),
    credentials: null,
    tokens: {
      account: { status: row.account_status === null ? 'unused' : row.account_status === 1 ? 'valid' : 'invalid' },
      group: { status: row.community_sealed === null ? 'unused' : 'valid' },
    },
    platform: { title, type, url, extension, edit_name },
    timer: null,
    delay: row.delay_seconds,
    ...choicesOf(row),
    ingress_url: row.address === null ? null : withQuery(row.address, secret),
    ingress_protocol: row.address === null ? null : protocolOf(row.address),
    stream_key: isEmpty ? null : (secret?.key ?? maskedSecret),
    access_type: rightOfMember(role, row.access_type),
    account: row.account_id === null ? null : { id: row.account_id, name: row.account_name ?? '' },
    channel_url: row.channel_url,
    test: testOf(row),
  }
}

/** A channel that waits for a transcoder is pending. */
const statusOf = (state: DestinationState, transcoder: number | null): Channel['status'] =>
  state === 'idle' && transcoder !== null ? 'wait_transcoding' : wireStatusOf(state)

const choicesOf = (row: ChannelRow): Pick<Channel, 'tracks' | 'silence' | 'ladder' | 'healing'> => ({
  tracks: tracksOf(row),
  silence: row.silence ?? 'auto',
  ladder: row.ladder ?? 'same_size',
  ...(hasHealing(row) && { healing: row.healing === 1 }),
})

const testOf = ({ test_reason: reason, date_test: date }: ChannelRow): Channel['test'] =>
  reason === null || date === null ? null : { reason, date }

const protocolOf = (address: string) => address.slice(0, address.indexOf(':')) as 'rtmp' | 'rtmps' | 'srt'

const withQuery = (address: string, secret: ChannelSecret | null): string =>
  secret === null || secret.query === '' ? address : `${address}?${secret.query}`

function rtmpOf(address: string | null, secret: ChannelSecret | null): Channel['rtmp'] {
  const url = address === null ? null : URL.parse(address)
  if (!url || url.protocol === 'srt:') return null
  const path = url.pathname.slice(1)
  return {
    name: path.split('/')[0] ?? '',
    path,
    port: url.port === '' ? null : Number(url.port),
    query: secret?.query ?? null,
    domain: url.hostname,
    protocol: url.protocol.slice(0, -1),
  }
}

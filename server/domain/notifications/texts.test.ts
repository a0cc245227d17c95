// Texts of notifications: every kind has one in each language, with all its values.
import { expect, test } from 'vitest'
import { languages } from '#contract/core/codes.ts'
import type { CreatedKind, KindParams } from './kinds.ts'
import { textOf } from './texts.ts'

const date = '2026-05-06T07:08:09.000Z'
const plan = { line: 'storage', plan: 'Pro', date_end: date } as const
const renewal = { ...plan, price: '$5', next: null, reason: 'no_method' }
const failed = (id: number, reason: string | null = null) => ({ id, name: `Channel ${id}`, reason, failed: true })
const invitation = { invite_id: 1, project: 'Studio', from: 'Ann' }
const codec = { broadcast_id: 1, codec: 'hevc', channel: 'Twitch' }
const account = { platform: 'Twitch', account: 'ann' }
const waiting = { project: 'Studio', amount: '5.00 USD' }
const arrival = { amount: '$7', debt: '$4', rest: '$3', owed: null }
const onAir = { broadcast_id: 1 }

/** Parameters of every kind; several where the text depends on them. */
const samples: { readonly [K in CreatedKind]: readonly KindParams[K][] } = {
  broadcast_started: [onAir],
  broadcast_stopped: [onAir],
  broadcast_connecting_lost: [onAir, { ...onAir, over: true }],
  start_channel_failed: [
    { ...onAir, channels: [failed(1)] },
    { ...onAir, channels: [failed(1, 'dns')] },
    { ...onAir, channels: [1, 2, 3, 4, 5, 6, 7].map((id) => failed(id)) },
  ],
  start_channel_success: [
    { ...onAir, channels: [failed(1)] },
    { ...onAir, channels: [failed(1), failed(2)] },
  ],
  channel_token_error: [account],
  channel_api_update_chat_error: [account],
  stream_unhealthy: [onAir, { ...onAir, fault: 'black' }, { ...onAir, fault: 'black', over: true }],
  broadcast_bitrate_exceeded: [
    { ...onAir, words: '9 > 6' },
    { ...onAir, words: '9 > 6', over: true },
  ],
  broadcast_bitrate_exceeded_screen: [{ ...onAir, words: '9 > 6' }],
  channel_not_seen: [
    { ...onAir, channel: 'One', ended: false },
    { ...onAir, channel: 'One', ended: true },
    { ...onAir, channel: 'One', ended: false, words: 'There is no sound.' },
    { ...onAir, channel: 'One', ended: true, over: true },
  ],
  channel_api_create_broadcast_success: [
    { ...onAir, channel: 'One', page: 'https://www.youtube.com/watch?v=abcdefghijk' },
  ],
  channel_api_create_broadcast_error: [
    { ...onAir, channel: 'One', reason: 'platform-refused', words: 'Live streaming is not enabled.' },
    { ...onAir, channel: 'One', reason: 'platform-away', words: null },
  ],
  schedule_missed: [{ schedule: 'Evening', date, reason: 'late' }],
  schedule_failed: [{ schedule: 'Evening', date, reason: 'play' }],
  broadcast_not_audio: [onAir],
  broadcast_unsupported_codec: [codec],
  broadcast_unsupported_codec_screen: [codec],
  plan_restream_expires: [plan],
  plan_transcoder_expires: [plan],
  plan_storage_expires: [plan],
  plan_restream_expired: [plan],
  plan_transcoder_expired: [plan],
  plan_storage_expired: [plan],
  plan_restream_renewed: [renewal],
  plan_transcoder_renewed: [renewal],
  plan_storage_renewed: [renewal],
  plan_renewal_ahead: [renewal, { ...renewal, missing: '$3' }],
  plan_renewal_failed: [renewal, { ...renewal, next: date, reason: 'a_code_of_the_provider' }],
  payment_failed: [{ payment_id: 1, amount: '$7' }],
  storage_nearly_full: [{ percent: 91 }],
  recordings_removal: [
    { removing_at: date, files: 1, size: 1e9 },
    { removing_at: date, files: 2, size: 1e9 },
  ],
  request_access_project: [invitation],
  request_access_channel: [{ ...invitation, channel_id: 1, channel: 'Twitch' }],
  new_sign_in: [{ device: 'Firefox', date }],
  webhook_stopped: [
    { host: 'example.org', reason: 'secret' },
    { host: 'example.org', reason: 'refused' },
  ],
  channel_unreachable: [{ channel: 'email' }, { channel: 'telegram' }, { channel: 'mobile' }, { channel: 'cabinet' }],
  notification_test: [{ date }],
  payment_refunded: [{ payment_id: 1, amount: '$7' }],
  payment_disputed: [{ payment_id: 1, amount: '$7' }],
  payment_dispute_won: [
    { payment_id: 1, amount: '$7' },
    { payment_id: 1, ...arrival },
  ],
  payment_dispute_lost: [{ payment_id: 1, amount: '$7' }],
  payment_refund_failed: [{ payment_id: 1, ...arrival, debt: null }],
  invoice_issued: [{ payment_id: 1, amount: '$7', number: 'I-2026-000001' }],
  balance_credited: [
    { payment_id: null, ...arrival, debt: null },
    { payment_id: 1, ...arrival },
    { payment_id: 1, ...arrival, rest: null, owed: '$3', plan: 'Pro', outcome: 'kept' },
    { payment_id: 1, ...arrival, debt: null, plan: 'Pro', outcome: 'bought' },
  ],
  debt_opened: [{ amount: '$7' }],
  plan_given: [plan],
  plan_changed: [
    { ...plan, date_start: date, charged: '$7', returned: null },
    { ...plan, date_start: date, charged: null, returned: '$3' },
    { ...plan, date_start: date, charged: null, returned: null },
  ],
  payout_sent: [{ amount: '$7', reference: 'T-1' }],
  payout_refused: [{ amount: '$7', reason: 'Wrong account' }],
  project_suspended: [{ project: 'Studio', reason: 'Spam' }],
  project_resumed: [{ project: 'Studio' }],
  operator_transfer: [waiting, { ...waiting, over: true }],
  operator_payout: [waiting],
  operator_review: [waiting],
  operator_dispute: [waiting],
  operator_receipt: [waiting],
  operator_job: [{ job: 'email 7', error: 'Error: no answer' }],
  operator_backup: [{ date }],
}

test.each(languages)('fills in every value in %s', (language) => {
  const texts = Object.entries(samples).flatMap(([kind, all]) =>
    all.flatMap((params) => textOf({ kind, params: JSON.stringify(params) }, language)),
  )
  expect(texts.filter((text) => text === '' || /[{}]|undefined|null/.test(text))).toEqual([])
})

test('inserts names once, without the placeholders and patterns that they contain', () => {
  const params = { platform: '{{account}} $&', account: '{{platform}}' }
  const [title] = textOf({ kind: 'channel_token_error', params: JSON.stringify(params) }, 'en')
  expect(title).toBe('{{account}} $&: connect the account {{platform}} again')
})

test('joins five names and counts the others, with the comma of the language', () => {
  const channels = [1, 2, 3, 4, 5, 6, 7].map((id) => failed(id))
  const source = { kind: 'start_channel_failed', params: JSON.stringify({ ...onAir, channels }) }
  expect(textOf(source, 'en')[1]).toBe('Channel 1, Channel 2, Channel 3, Channel 4, Channel 5, 2 more.')
  expect(textOf(source, 'cn')[1]).toBe('Channel 1、Channel 2、Channel 3、Channel 4、Channel 5、另外 2 个。')
})

// Makes the data of release 0.1.0 (commit 0cbdb713) that `upgrade.test.ts` upgrades: rows in every table.
//
//   git worktree add --detach /tmp/release 0cbdb713 && (cd /tmp/release && npm ci)
//   node server/testing/release-0.1.0/make.ts /tmp/release                       writes sqlite.db.gz and sqlite.json
//   DATABASE_URL=… node server/testing/release-0.1.0/make.ts /tmp/release        writes postgres.sql.gz and postgres.json
//
// PostgreSQL needs a `pg_dump` that is not older than the server.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const [checkout = ''] = process.argv.slice(2)
/** Modules of the release. Their types are not those of this commit. */
const load = (path: string) => import(resolve(checkout, path))

const { registeredAt } = await load('server/testing/providers/connected.ts')
const { platformDouble } = await load('server/testing/providers/double.ts')
const { SocialLogins } = await load('server/testing/providers/social-logins.ts')
const ours = await load('server/testing/providers/platforms.ts')
const theirs = await load('server/testing/providers/platforms-vk.ts')
const { telegramDouble, withBot } = await load('server/testing/providers/telegram.ts')
const { PublishedCalls } = await load('server/testing/published-calls.ts')
const { contentFolder, somePolicy, somePost } = await load('server/testing/content.ts')
const { scenes } = await load('server/testing/published-scenes.ts')
const { report, someNode } = await load('server/testing/nodes.ts')
const { newChannel } = await load('server/testing/channels.ts')
const { testApp } = await load('server/testing/test-app.ts')
const { CompiledQuery } = await load('node_modules/kysely/dist/index.js')

const telegram = telegramDouble()
const double = await platformDouble([
  ours.youtubeDouble,
  ours.twitchDouble,
  ours.trovoDouble,
  theirs.okDouble,
  theirs.vkDouble,
  theirs.vkVideoLiveDouble,
  telegram.platform,
])
for (const token of ['access-1', 'access-2', '123:bot']) double.tokens.add(token)
const content = contentFolder({ 'blog/en/first.md': somePost, 'policies/en/refund.md': somePolicy })
const world = await testApp({
  SECRET: 'a secret of release 0.1.0 for tests',
  ALLOW_PRIVATE_DESTINATIONS: 'on',
  INVOICE_DETAILS: 'IBAN',
  CONTENT_DIR: content,
  ...registeredAt(double.base),
  ...withBot,
})
const socialLogins = await SocialLogins.start()
await report(world.services)
await report(world.services, { node: 'ams-1', city: 'Amsterdam', pull: { rtmp: someNode.pull.rtmp } })
// The texts of help need the images of the content folder, and store nothing.
const stage = { calls: new PublishedCalls(), world, socialLogins, telegram }
for (const { ops, run } of scenes) if (!ops.some(({ id }: { id: string }) => id.startsWith('help.'))) await run(stage)

const user = await world.user('Upgrade')
const now: string = world.clock.now().toISOString()

/**
 * Rows that no scene leaves; `:name` is one of `values`. Those of money are in their last state, so that a start calls no
 * provider.
 */
const rows = `
insert into operators (user_id, date_create) values (:user, :now);
insert into operator_log (user_id, action, project_id, before, reason, date_create)
  values (:user, 'plan', :project, '{}', 'x', :now);
insert into identities (user_id, provider, subject, name, date_create) values (:user, 'google', '1', 'Ann', :now);
insert into project_invites (project_id, from_user_id, access_type, email, hash, date_create, date_expire)
  values (:project, :user, 2, 'bob@example.com', 'invite', :now, :later);
insert into pull_keys (project_id, key_sealed, key_hash, transport, name, region, status, date_create)
  values (:project, 'sealed', 'hash', 'rtmp', 'Mixer', '', 'active', :now);
insert into plan_projects (line, plan_id, project_id) values ('restream', 6, :project);
insert into plan_renewals (project_id, line, date_create) values (:project, 'restream', :now);
insert into plan_notices (term_id, kind, date_end, date_create) values (1, 'week', :later, :now);
insert into storage_removals (project_id, date_remove, date_week) values (:project, :later, :now);
insert into paper_settings (id, seller_name, seller_address, seller_tax_id, kopecks_per_dollar)
  values (1, 'Seller', 'Street 1', '1', 9000);
insert into tax_rates (country_id, percent_hundredths, label) values (276, 1900, 'VAT');
insert into pay_providers (provider, date_event, date_reconciled, mismatches, unknown_events)
  values ('paypal', :now, :now, 1, 2);
insert into payment_customers (project_id, provider, customer) values (:project, 'stripe', 'cus_1');
insert into payment_methods (project_id, provider, token_sealed, token_hash, title, expires, is_default, date_create)
  values (:project, 'stripe', 'sealed', 'hash', 'Visa •••• 4242', '2030-01', 1, :now);
insert into payment_events (provider, event_id, payment_id, body, times, date_create)
  values ('paypal', 'WH-1', 1, '{}', 2, :now);
insert into payment_refunds (uuid, payment_id, provider_id, requested_minor, taken_minor, state, date_create)
  values ('refund', 1, 're_1', 500, 500, 'booked', :now);
insert into payment_disputes (payment_id, provider_id, withdrawn_minor, reinstated_minor, status, date_create,
    date_update)
  values (1, 'dp_1', 300, 300, 'won', :now, :now);
insert into invoice_refunds (key, payment_id, amount_minor) values ('refund', 1, 500);
insert into advances (project_id, payment_id, left_minor) values (:project, 1, 1500);
insert into closing_receipts (key, project_id, payment_id, transaction_id, amount_minor, state, provider_id, tries,
    date_create, date_begin)
  values ('closing', :project, 1, 1, 500, 'done', 'rt_1', 1, :now, :now);
insert into referral_settings (id, percent_hundredths) values (1, 1000);
insert into referral_earnings (payment_id, project_id, percent_hundredths, currency, booked_minor, date_due)
  values (1, :project, 1000, 'usd', 200, :now);
insert into renewals (project_id, line, date_end, state, told_minor, date_told, tries, date_next, lease_until)
  values (:project, 'restream', :now, 'done', 490, :now, 1, :now, :now);
insert into renewal_tries (renewal_id, seq, key, state, payment_id, date_create)
  values (1, 1, 'try', 'done', 1, :now);
insert into telegram_chats (channel_id, chat_id, name, domain, filter_mode, message_id, link, date_update,
    discussion_id)
  values (:channel, '-100123', 'Group', 'group', 1, 5, 'https://t.me/group', :now, '-100124');
insert into telegram_posts (chat_id, message_id, text, attachments, pinned, date_create, thread_id)
  values ('-100123', 5, 'Live', '[]', 1, :now, 6);
insert into chat_inboxes (source, until) values ('telegram:-100123', 1772359200000);
insert into chat_inbox (source, external_id, body, date_create) values ('telegram:-100123', '7', '{}', :now);
insert into broadcast_targets (broadcast_id, channel_id, state, attempt, address, secret_sealed, video_id, url)
  values (2, :channel, 'ended', 1, 'rtmp://a.example.com/live', 'sealed', 'v1', 'https://example.com/v1');
insert into broadcast_viewers (broadcast_id, step, at, viewers) values (2, 60, 1772359200, 12);
insert into recordings (project_id, broadcast_id, node, name, file, state, bytes, duration_ms, date_create)
  values (:project, 2, 'ams-1', 'r1', 'r1.mp4', 'ready', 1000, 60000, :now);
insert into chat_gaps (broadcast_id, restream_id, date_from, date_to, reason) values (2, 2, :now, :later, 'lost');
insert into chat_settings (project_id, words, hide_bots, hide_commands, hold_back, keep_days)
  values (:project, '["spam"]', 1, 0, 3, 30);
insert into chat_muted (project_id, platform, author_id, name, date_create)
  values (:project, 'twitch', '77', 'Bot', :now);
insert into notify_preferences (user_id, quiet_from, quiet_to, time_zone, quiet_important)
  values (:user, '22:00', '08:00', 'UTC', 1);
insert into notify_settings (user_id, project_id, channel, category, is_on)
  values (:user, :project, 'email', 'streams', 0);
insert into push_subscriptions (user_id, token, sealed, device, date_create)
  values (:user, 'token', 'sealed', 'Firefox', :now);
insert into telegram_links (user_id, chat_id, name, date_create) values (:user, '42', 'Ann', :now);
insert into telegram_link_tokens (hash, user_id, date_expire) values ('hash', :user, :later);
insert into service_keys (name, sealed, date_create) values ('vapid', 'sealed', :now);
insert into webhooks (project_id, url, sealed, is_on, date_create)
  values (:project, 'https://example.com/hook', 'sealed', 1, :now);
insert into webhook_messages (webhook_id, message_id, kind, fact, body, state, attempts, date_due, date_create)
  values (1, 'msg_1', 'test', 'test 1', '{}', 'sent', 1, :now, :now);
insert into webhook_attempts (webhook_id, message_id, kind, status, result, date_create)
  values (1, 'msg_1', 'test', 200, 'sent', :now);
`
const values: Readonly<Record<string, string | number>> = {
  user: user.id,
  project: user.projectId,
  channel: await newChannel(world, user, { name: '\uFDFA Show' }),
  now: `'${now}'`,
  later: "'2027-01-01T00:00:00.000Z'",
}
const query = (text: string) =>
  world.app.db.executeQuery(CompiledQuery.raw(text.replaceAll(/:([a-z]+)\b/g, (all, name) => `${values[name] ?? all}`)))
for (const statement of rows.trim().split(';\n')) await query(statement)
// A channel of a kind that later releases change.
await query(`update channels set type = 'srt', name_folded = lower(name) || ' longer' where id = :channel`)

const to = (name: string) => new URL(name, import.meta.url)
const url = process.env['DATABASE_URL']
if (url) {
  const { rows: schemas } = await query('select current_schema() as name')
  const schema: string = schemas[0].name
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100', `--schema=${schema}`]
  const dump = execFileSync('pg_dump', [...options, url], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const statements = dump.replaceAll(/^(--.*|\\.*|SET .*|SELECT pg_catalog.set_config.*|CREATE SCHEMA.*)\n/gm, '')
  const text = statements.replaceAll(`${schema}.`, '').replaceAll(/\n{2,}/g, '\n')
  writeFileSync(to('postgres.sql.gz'), gzipSync(text, { level: 9 }))
} else {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-release-'))
  const file = join(folder, 'relaydeck.db')
  await query(`vacuum into '${file}'`)
  writeFileSync(to('sqlite.db.gz'), gzipSync(readFileSync(file), { level: 9 }))
  rmSync(folder, { recursive: true })
}
const { email, password, refreshToken } = user
const made = `${JSON.stringify({ now, email, password, refreshToken, project: user.projectId }, null, 2)}\n`
writeFileSync(to(url ? 'postgres.json' : 'sqlite.json'), made)
await Promise.all([world.close(), socialLogins.close(), double.close()])

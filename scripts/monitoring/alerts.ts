// Alerts of an installation, once: the rules of Prometheus, their test and the runbook are written from this table.

/** Values of a series in the test of a rule, in the notation of promtool: `0x20` repeats 0, `0+60x20` counts up by 60. */
type TestSeries = Readonly<Record<string, string>>

interface Alert {
  /** Name in Prometheus; its anchor in the runbook is the name in lower case. */
  readonly name: string
  readonly expr: string
  /** Time for which the expression holds before the alert fires. */
  readonly holds: string
  /** `page`: streams or money are at risk now. `ticket`: look within a day. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
  /** What users notice. */
  readonly effect: string
  /** Steps of the operator, in order. */
  readonly steps: readonly string[]
  /** Series with which the alert fires at `at`, and with which it never does. Steps of a minute. */
  readonly test: { readonly at: string; readonly fires: TestSeries; readonly quiet: TestSeries }
}

const day = 86_400

export const alerts: readonly Alert[] = [
  {
    name: 'RelaydeckDown',
    expr: 'up{job="relaydeck"} == 0',
    holds: '1m',
    severity: 'page',
    summary: 'A replica does not answer.',
    effect: 'Pages of this replica do not open. Broadcasts go on: relays run without the service.',
    steps: [
      'Read the end of the log of the service: `journalctl -u relaydeck -n 100`, or the terminal of `npm start`. Exit code 78 names a wrong setting: correct it, then `relaydeck install`.',
      'Look for a full disk (`df -h`) and for a process that the kernel ended for lack of memory (`dmesg | grep -i oom`).',
      'Start the service again. It continues the broadcasts that its relays carry.',
    ],
    test: { at: '5m', fires: { 'up{job="relaydeck"}': '0x10' }, quiet: { 'up{job="relaydeck"}': '1x10' } },
  },
  {
    name: 'RelaydeckNotReady',
    expr: 'relaydeck_ready == 0',
    holds: '1m',
    severity: 'page',
    summary: 'The database takes no writes.',
    effect:
      'Pages open and say that the service is not available. Encoders on air stay on air; new ones with known keys are admitted.',
    steps: [
      'The log names the reason: the disk is full, the database is away, or DATA_DIR is not writable.',
      'With PostgreSQL: test `psql "$DATABASE_URL" -c "select 1"` on the machine of the service.',
      'Restart nothing: the service is ready within 2 s after the database is back.',
    ],
    test: { at: '5m', fires: { relaydeck_ready: '0x10' }, quiet: { relaydeck_ready: '1x10' } },
  },
  {
    name: 'RelaydeckNoNode',
    expr: 'sum by (job) (relaydeck_nodes{state="accepting"}) == 0',
    holds: '2m',
    severity: 'page',
    summary: 'No relay node takes new broadcasts.',
    effect: 'New encoders are refused. Broadcasts on air go on where their node still runs.',
    steps: [
      'Administration → Health names each node, its last report and the reason, such as an occupied port.',
      'All nodes full: add a node (`npm run relay` on another machine), or end broadcasts that nobody needs.',
      'All nodes silent: see RelaydeckNodeSilent.',
    ],
    test: {
      at: '5m',
      fires: { 'relaydeck_nodes{job="relaydeck",state="accepting"}': '0x10' },
      quiet: { 'relaydeck_nodes{job="relaydeck",state="accepting"}': '1x10' },
    },
  },
  {
    name: 'RelaydeckNodeSilent',
    expr: 'relaydeck_node_report_age_seconds > 90',
    holds: '1m',
    severity: 'page',
    summary: 'A relay node sends no reports.',
    effect:
      'The node may still carry its broadcasts; the dashboard shows no new figures of them. After 10 minutes they count as ended.',
    steps: [
      'Is the process of the relay alive on that machine? Read its log.',
      'Does the machine reach the service? `curl -sS "$RELAY_SERVICE_URL/healthz"` from there.',
      'A node that was switched off for good leaves this list after 10 minutes.',
    ],
    test: {
      at: '5m',
      fires: { 'relaydeck_node_report_age_seconds{node="fra-1"}': '100+60x10' },
      quiet: { 'relaydeck_node_report_age_seconds{node="fra-1"}': '30x10' },
    },
  },
  {
    name: 'RelaydeckDiskFull',
    expr: 'relaydeck_disk_free_bytes / relaydeck_disk_size_bytes < 0.1 and relaydeck_disk_free_bytes < 50e9',
    holds: '5m',
    severity: 'page',
    summary: 'Less than a tenth of a disk is free.',
    effect: 'At 0 bytes recordings stop and nothing can be bought or changed. Nothing that was acknowledged is lost.',
    steps: [
      '`du -xh --max-depth=2 "$DATA_DIR" | sort -h | tail` shows the largest folders.',
      'Recordings: lower the storage of projects, or move RECORDINGS_DIR to a larger disk.',
      'Backups: keep fewer, or move them to another machine.',
    ],
    test: {
      at: '10m',
      fires: { 'relaydeck_disk_free_bytes{of="both"}': '5e9x20', 'relaydeck_disk_size_bytes{of="both"}': '100e9x20' },
      quiet: { 'relaydeck_disk_free_bytes{of="both"}': '20e9x20', 'relaydeck_disk_size_bytes{of="both"}': '100e9x20' },
    },
  },
  {
    name: 'RelaydeckBusDown',
    expr: 'relaydeck_bus_connected == 0',
    holds: '1m',
    severity: 'page',
    summary: 'A replica is not connected to the others.',
    effect: 'Changes made at other replicas show with a delay of seconds: pages ask instead of being told.',
    steps: [
      'With NATS: is the server of NATS_URL running, and does this machine reach it?',
      'Without NATS: messages use PostgreSQL; see RelaydeckNotReady.',
      'Restart nothing: the replica connects again by itself and reads what it missed.',
    ],
    test: { at: '5m', fires: { relaydeck_bus_connected: '0x10' }, quiet: { relaydeck_bus_connected: '1x10' } },
  },
  {
    name: 'RelaydeckMessagesLost',
    expr: 'increase(relaydeck_bus_lost_messages[15m]) > 0',
    holds: '0m',
    severity: 'ticket',
    summary: 'The bus cannot carry all messages between replicas.',
    effect: 'Replicas read their state again, which costs time of the database. Users see a delay.',
    steps: ['Set NATS_URL: NATS carries several times as many messages as PostgreSQL.'],
    test: {
      at: '10m',
      fires: { relaydeck_bus_lost_messages: '0 0 0 40x20' },
      quiet: { relaydeck_bus_lost_messages: '40x20' },
    },
  },
  {
    name: 'RelaydeckClockOff',
    expr: 'abs(relaydeck_clock_offset_seconds) > 30',
    holds: '5m',
    severity: 'ticket',
    summary: 'The clock of a replica differs from the clock of the database by more than 30 s.',
    effect: 'Tokens and codes by an authenticator app may be refused, and times in the dashboard are wrong.',
    steps: [
      '`timedatectl` on both machines: "System clock synchronized: yes". Install `systemd-timesyncd` or `chrony`.',
    ],
    test: {
      at: '10m',
      fires: { relaydeck_clock_offset_seconds: '-300x20' },
      quiet: { relaydeck_clock_offset_seconds: '-20x20' },
    },
  },
  {
    name: 'RelaydeckServerErrors',
    expr: 'sum by (instance, operation) (increase(relaydeck_http_answers_total{status=~"5..",status!="503"}[15m])) > 0',
    holds: '0m',
    severity: 'ticket',
    summary: 'An operation failed with an error of the service.',
    effect: 'A page showed "Something went wrong". Nothing was half done: a failed operation changes nothing.',
    steps: [
      'Search the log for the operation at that time: the entry has the whole error.',
      'Report it with the version (Administration → Health) and the entry. It has no secrets.',
    ],
    test: {
      at: '10m',
      fires: { 'relaydeck_http_answers_total{instance="a",operation="account.auth.me",status="500"}': '0+1x20' },
      quiet: { 'relaydeck_http_answers_total{instance="a",operation="account.auth.me",status="503"}': '0+1x20' },
    },
  },
  {
    name: 'RelaydeckBackupOld',
    expr: 'time() - max by (job) (relaydeck_backup_time_seconds) > 2 * 86400 or absent(relaydeck_backup_time_seconds)',
    holds: '1h',
    severity: 'ticket',
    summary: 'The last backup is older than two days, or there is none.',
    effect: 'None now. After a loss of the disk, everything since the last backup is lost.',
    steps: [
      'Administration → Health shows a failed backup job with its error.',
      'Make one now: `npm start -- backup`. The reason of a failure is its last line.',
    ],
    test: {
      at: '2h',
      // The test begins at Unix time 0.
      fires: { 'relaydeck_backup_time_seconds{job="relaydeck"}': `-${3 * day}x180` },
      quiet: { 'relaydeck_backup_time_seconds{job="relaydeck"}': '0x180' },
    },
  },
  {
    name: 'RelaydeckDrillOld',
    expr: 'time() - max by (job) (relaydeck_drill_time_seconds) > 15 * 86400',
    holds: '1h',
    severity: 'ticket',
    summary: 'No backup was restored in a drill for 15 days.',
    effect: 'None now. It is not known whether the backups can be restored.',
    steps: ['Run one: `npm start -- drill`. It restores the last backup into a temporary place and compares it.'],
    test: {
      at: '2h',
      fires: { 'relaydeck_drill_time_seconds{job="relaydeck"}': `-${16 * day}x180` },
      quiet: { 'relaydeck_drill_time_seconds{job="relaydeck"}': '0x180' },
    },
  },
  {
    name: 'RelaydeckCertificateEnds',
    expr: '(relaydeck_certificate_until_time_seconds - time()) / (relaydeck_certificate_until_time_seconds - relaydeck_certificate_from_time_seconds) < 0.2',
    holds: '1h',
    severity: 'ticket',
    summary: 'Less than a fifth of the life of the certificate for HTTPS and RTMPS is left.',
    effect: 'None now. After the end, browsers and encoders refuse the connection.',
    steps: [
      'Ordered by `certificate`: Administration → Health shows the job with the reason, and `npm start -- certificate renew` tries again. Otherwise run the tool that renews it; Relaydeck serves the new files within 2 s.',
      'The log of Relaydeck names a new file that it refused: cut off, expired, or with the key of another certificate.',
    ],
    test: {
      at: '2h',
      fires: {
        relaydeck_certificate_from_time_seconds: `-${80 * day}x180`,
        relaydeck_certificate_until_time_seconds: `${10 * day}x180`,
      },
      quiet: {
        relaydeck_certificate_from_time_seconds: `-${60 * day}x180`,
        relaydeck_certificate_until_time_seconds: `${30 * day}x180`,
      },
    },
  },
  {
    name: 'RelaydeckLedgerDiffers',
    expr: 'relaydeck_ledger_differences > 0',
    holds: '0m',
    severity: 'page',
    summary: 'The sums of the ledger do not agree.',
    effect: 'A balance may be wrong. It is shown as it is stored.',
    steps: [
      '`npm start -- ledger check` lists the transactions and projects.',
      'Keep the database as it is: make a backup, and do not correct rows by hand before the cause is known.',
      'Compare the ledger of the project (Administration → Projects) with its payments.',
    ],
    test: {
      at: '5m',
      fires: { relaydeck_ledger_differences: '1x10' },
      quiet: { relaydeck_ledger_differences: '0x10' },
    },
  },
  {
    name: 'RelaydeckPaymentsDiffer',
    expr: 'relaydeck_payment_mismatches > 0',
    holds: '1h',
    severity: 'ticket',
    summary: 'A payment exists at the provider or here, and not at both.',
    effect: 'A customer may have paid without receiving the money, or the reverse.',
    steps: ['Administration → Health lists the payments. Compare each with the pages of the provider.'],
    test: {
      at: '2h',
      fires: { 'relaydeck_payment_mismatches{provider="stripe"}': '2x180' },
      quiet: { 'relaydeck_payment_mismatches{provider="stripe"}': '0x180' },
    },
  },
  {
    name: 'RelaydeckJobsParked',
    expr: 'relaydeck_failing_jobs{state="parked"} > 0',
    holds: '15m',
    severity: 'ticket',
    summary: 'A background job failed too often and waits for an operator.',
    effect: 'What the job does is not done, such as a receipt or a renewal.',
    steps: ['Administration → Health shows the job and its error. Remove the cause, then press **Run now**.'],
    test: {
      at: '30m',
      fires: { 'relaydeck_failing_jobs{state="parked"}': '1x60' },
      quiet: { 'relaydeck_failing_jobs{state="parked"}': '0x60', 'relaydeck_failing_jobs{state="retrying"}': '3x60' },
    },
  },
]

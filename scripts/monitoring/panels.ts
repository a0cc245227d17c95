// Panels of the Grafana dashboard, once.

interface Panel {
  readonly title: string
  /** Expressions by legend; the legend may use labels: `{{node}}`. */
  readonly lines: Readonly<Record<string, string>>
  /** Unit in Grafana's words. */
  readonly unit: 'none' | 'short' | 'reqps' | 's' | 'bytes' | 'percentunit' | 'bool_yes_no' | 'dateTimeFromNow'
  /** `stat`: the value now. */
  readonly kind?: 'stat'
}

/** Rows of the dashboard, each with its panels side by side. */
export const rows: Readonly<Record<string, readonly Panel[]>> = {
  Now: [
    { title: 'On air', kind: 'stat', unit: 'none', lines: { '{{status}}': 'max by (status) (relaydeck_broadcasts)' } },
    { title: 'Nodes', kind: 'stat', unit: 'none', lines: { '{{state}}': 'max by (state) (relaydeck_nodes)' } },
    { title: 'Replicas ready', kind: 'stat', unit: 'none', lines: { ready: 'sum(relaydeck_ready)' } },
    {
      title: 'Release',
      kind: 'stat',
      unit: 'none',
      lines: { '{{version}}': 'sum by (version) (relaydeck_release_info)' },
    },
  ],
  Streams: [
    {
      title: 'Channels by state',
      unit: 'none',
      lines: { '{{state}} {{reason}}': 'max by (state, reason) (relaydeck_channels)' },
    },
    {
      title: 'Load of nodes',
      unit: 'percentunit',
      lines: { '{{node}} {{of}}': 'max by (node, of) (relaydeck_node_load_ratio)' },
    },
    { title: 'Age of reports', unit: 's', lines: { '{{node}}': 'max by (node) (relaydeck_node_report_age_seconds)' } },
  ],
  Pages: [
    {
      title: 'Answers',
      unit: 'reqps',
      lines: { '{{status}}': 'sum by (status) (rate(relaydeck_http_answers_total[5m]))' },
    },
    {
      title: 'Time to answer',
      unit: 's',
      lines: {
        '95 %': 'histogram_quantile(0.95, sum by (le) (rate(relaydeck_http_answer_seconds_bucket[5m])))',
        '50 %': 'histogram_quantile(0.5, sum by (le) (rate(relaydeck_http_answer_seconds_bucket[5m])))',
      },
    },
    { title: 'Open pages', unit: 'none', lines: { '{{instance}}': 'relaydeck_realtime_connections' } },
  ],
  Machine: [
    { title: 'Free disk', unit: 'bytes', lines: { '{{instance}} {{of}}': 'relaydeck_disk_free_bytes' } },
    { title: 'Clock beside the database', unit: 's', lines: { '{{instance}}': 'relaydeck_clock_offset_seconds' } },
    {
      title: 'Connection between replicas',
      unit: 'bool_yes_no',
      lines: { '{{instance}}': 'relaydeck_bus_connected' },
    },
    {
      title: 'Last backup and drill',
      kind: 'stat',
      unit: 'dateTimeFromNow',
      lines: { backup: 'max(relaydeck_backup_time_seconds) * 1000', drill: 'max(relaydeck_drill_time_seconds) * 1000' },
    },
  ],
  Work: [
    { title: 'Failing jobs', unit: 'none', lines: { '{{state}}': 'max by (state) (relaydeck_failing_jobs)' } },
    {
      title: 'Notifications that failed',
      unit: 'short',
      lines: { '{{channel}}': 'sum by (channel) (increase(relaydeck_notification_deliveries_failed_total[1h]))' },
    },
    {
      title: 'Money',
      unit: 'none',
      lines: {
        'differences of the ledger': 'max(relaydeck_ledger_differences)',
        'payments of one side, {{provider}}': 'max by (provider) (relaydeck_payment_mismatches)',
        'receipts, {{state}}': 'max by (state) (relaydeck_closing_receipts)',
      },
    },
    {
      title: 'Chat readers',
      unit: 'none',
      lines: { '{{platform}} {{state}}': 'sum by (platform, state) (relaydeck_chat_readers)' },
    },
  ],
}

// Writes the rules of Prometheus with their test, the runbook and the Grafana dashboard from their tables.
import { alerts } from './alerts.ts'
import { rows } from './panels.ts'

const source = (table: string) => `Written by \`npm run generate\` from scripts/monitoring/${table}.`

/** The runbook, below the public address of the code; alerts link to its entries. */
const runbook = 'docs/runbook.md'

/** Returns a text for YAML, with the quotes that the formatter chooses. */
const quoted = (text: string): string =>
  text.includes('"') ? `'${text.replaceAll("'", "''")}'` : text.includes("'") ? JSON.stringify(text) : `'${text}'`

/** Returns `deploy/monitoring/alerts.yml`. */
function rulesFile(): string {
  const rules = alerts.map(
    ({ name, expr, holds, severity, summary }) => `      - alert: ${name}
        expr: ${quoted(expr)}
        for: ${holds}
        labels: { severity: ${severity} }
        annotations:
          summary: ${quoted(summary)}
          runbook: ${runbook}#${name.toLowerCase()}
`,
  )
  return `# ${source('alerts.ts')}\ngroups:\n  - name: relaydeck\n    rules:\n${rules.join('')}`
}

/** Returns `deploy/monitoring/alerts.test.yml`: each rule fires with one set of series, and not with the other. */
function rulesTestFile(): string {
  const tests = alerts.flatMap(({ name, test: { at, fires, quiet } }) => [
    testOf(name, at, fires, true),
    testOf(name, at, quiet, false),
  ])
  return `# ${source('alerts.ts')} Run: promtool test rules alerts.test.yml\nrule_files: [alerts.yml]\ntests:\n${tests.join('')}`
}

function testOf(name: string, at: string, series: Readonly<Record<string, string>>, fires: boolean): string {
  const input = Object.entries(series).map(
    ([metric, values]) => `      - series: ${quoted(metric)}\n        values: ${quoted(values)}\n`,
  )
  return `  - interval: 1m
    name: ${name}${fires ? '' : ', quiet'}
    input_series:
${input.join('')}    promql_expr_test:
      - expr: count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)
        eval_time: ${at}
        exp_samples: [{ labels: '{}', value: ${fires ? 1 : 0} }]
`
}

/** Returns `docs/runbook.md`. */
function runbookFile(): string {
  const entries = alerts.map(({ name, expr, holds, severity, summary, effect, steps }) => {
    const list = steps.map((step, at) => `${at + 1}. ${step}`).join('\n')
    const after = holds === '0m' ? 'at once' : `after ${holds}`
    return `## ${name}\n\n${summary} (${severity}, ${after})\n\n**Users notice**: ${effect}\n\n${list}\n\n\`\`\`promql\n${expr}\n\`\`\`\n`
  })
  return `# Runbook

${source('alerts.ts')} One entry for each alert of [deploy/monitoring/alerts.yml](../deploy/monitoring/alerts.yml). \`page\`: streams
or money are at risk now. \`ticket\`: look within a day. [Watching an installation](operator.md#watching-an-installation) sets it up.

${entries.join('\n')}`
}

/** Columns of a Grafana dashboard. */
const columns = 24
const panelHeight = 8

/** Returns `deploy/monitoring/dashboard.json`. */
function dashboardFile(): string {
  let id = 0
  const panels = Object.entries(rows).flatMap(([title, list], row) => {
    const y = row * (panelHeight + 1)
    const width = Math.floor(columns / list.length)
    const head = { id: ++id, type: 'row', title, gridPos: { x: 0, y, w: columns, h: 1 }, panels: [] }
    const made = list.map(({ title: panel, lines, unit, kind = 'timeseries' }, at) => ({
      id: ++id,
      type: kind,
      title: panel,
      datasource: { type: 'prometheus', uid: '${source}' },
      gridPos: { x: at * width, y: y + 1, w: width, h: panelHeight },
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: Object.entries(lines).map(([legendFormat, expr], index) => ({
        refId: String.fromCharCode(65 + index),
        expr,
        legendFormat,
      })),
    }))
    return [head, ...made]
  })
  const dashboard = {
    title: 'Relaydeck',
    uid: 'relaydeck',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'source', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels,
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

/** Files by path. */
export const monitoringFiles: Readonly<Record<string, () => string>> = {
  'deploy/monitoring/alerts.yml': rulesFile,
  'deploy/monitoring/alerts.test.yml': rulesTestFile,
  'deploy/monitoring/dashboard.json': dashboardFile,
  [runbook]: runbookFile,
}

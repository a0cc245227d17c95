// Alerts and dashboard: their series exist, Prometheus accepts the rules, and each rule fires when it should.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/test-app.ts'
import { alerts } from './alerts.ts'
import { rows } from './panels.ts'

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Names of series in an expression. `up` is Prometheus' own. */
const seriesOf = (expr: string): string[] => [...expr.matchAll(/relaydeck_\w+/g)].map(([name]) => name)

test('uses no series that a running service lacks', async () => {
  const world = await testApp()
  const { body } = await world.app.inject({ method: 'GET', url: '/metrics' })
  await world.close()
  const served = new Set(
    [...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) => namesOf(name, type)),
  )
  const used = [
    ...alerts.map(({ expr }) => expr),
    ...Object.values(rows)
      .flat()
      .flatMap(({ lines }) => Object.values(lines)),
  ]
  expect(used.flatMap(seriesOf).length).toBeGreaterThan(30)
  expect(used.flatMap(seriesOf).filter((name) => !served.has(name))).toEqual([])
})

/** Histograms are read by their buckets. */
const namesOf = (name: string, type: string | undefined) => (type === 'histogram' ? [`${name}_bucket`] : [name])

test('has rules that fire, and stay quiet, in a test by Prometheus', ({ skip }) => {
  if (!hasPromtool) skip('promtool is not installed')
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd: 'deploy/monitoring',
    encoding: 'utf8',
  })
  expect(stdout + stderr).toContain('SUCCESS')
  expect(status).toBe(0)
})

test('carries no project in a label, and names each alert once', () => {
  expect(JSON.stringify([alerts, rows])).not.toMatch(/project_id|project=/)
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
})

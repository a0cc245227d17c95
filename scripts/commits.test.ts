// Subjects of commits: Conventional Commits, at most 72 characters, in the imperative.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The last commit before this rule. */
const since = '9845e26'
const form = /^(feat|fix|refactor|perf|test|docs|chore|build|ci|style|revert)(\([a-z0-9-]+\))?!?: [a-z]/

/** Lists the problems of a subject. */
function problemsOf(subject: string): string[] {
  return [
    ...(subject.length > 72 ? [`has ${subject.length} characters, 72 are the limit`] : []),
    ...(form.test(subject) ? [] : ['is no Conventional Commit in lower case: `fix(relay): retry after 500 ms`']),
  ].map((problem) => `"${subject}" ${problem}`)
}

test('accepts all commit subjects since the rule began', (context) => {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  if (git('merge-base', '--is-ancestor', since, 'HEAD').status !== 0)
    return context.skip(`${since} is not in this clone`)
  const subjects = git('log', '--no-merges', '--format=%s', `${since}..HEAD`).stdout.split('\n').filter(Boolean)
  expect(subjects.flatMap(problemsOf)).toEqual([])
})

test.each([
  ['fix(relay): reconnect destinations in priority order', 0],
  ['feat!: drop version 1 of the protocol', 0],
  ['Reconnect destinations', 1],
  ['fix(Relay): reconnect destinations', 1],
  ['fix: Reconnect destinations', 1],
  [`docs: ${'x'.repeat(70)}`, 1],
])('%s: %i problems', (subject, count) => {
  expect(problemsOf(subject)).toHaveLength(count)
})

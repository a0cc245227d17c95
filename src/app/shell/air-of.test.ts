import { expect, test } from 'vitest'
import type { BroadcastStatus, OnAir, VerdictKind } from '#contract/entities/on-air.ts'
import { airOf } from './air-of.ts'

const verdict = (level: 'good' | 'warning' | 'problem', kind?: VerdictKind) => ({
  level,
  reasons: kind && level !== 'good' ? [{ kind, level, value: null, limit: null }] : [],
})

test.each<[Partial<OnAir>, string]>([
  [{ status: 'active' }, 'on'],
  [{ status: 'active', verdict: verdict('good') }, 'on'],
  [{ status: 'active', verdict: verdict('warning', 'keyframes') }, 'warning'],
  [{ status: 'active', verdict: verdict('problem', 'black') }, 'problem'],
  [{ status: 'pause', verdict: verdict('warning', 'keyframes') }, 'paused'],
  [{ status: 'lost', verdict: verdict('problem', 'lost') }, 'lost'],
  [{ status: 'lost', verdict: verdict('warning', 'held') }, 'held'],
])('a broadcast with %j is %s', (onAir, air) =>
  expect(airOf({ kind: 'live', restreams: [], ...onAir } as unknown as BroadcastStatus)).toBe(air),
)

test('a project off air is off', () => expect(airOf({ kind: 'inactive', status: 'offline' })).toBe('off'))

import { expect, test } from 'vitest'
import type { Schedule } from '#contract/areas/broadcasts/scheduler.ts'
import { draftOf, inputOf, momentOf, movedTo, newDraft, nextDates, wallOf } from './schedule-draft.ts'

const at = (text: string): number => Date.parse(text) / 1000
const zone = 'Europe/Berlin'
const now = Date.parse('2026-11-28T15:20:00Z')

test('begins with the next full hour of the zone', () => {
  expect(newDraft(now, zone)).toMatchObject({ date: '2026-11-28', time: '17:00', endTime: '18:00', days: [6] })
  expect(newDraft(now, 'Asia/Kolkata')).toMatchObject({ date: '2026-11-28', time: '21:00' })
})

test('a weekly series follows the day of its begin until other weekdays are chosen', () => {
  const draft = { ...newDraft(now, zone), repeat: 'week' } as const
  const monday = { ...draft, ...movedTo('2026-11-30', draft) }
  expect(monday.days).toEqual([1])
  expect(wallOf(nextDates(monday, now)[0] ?? 0, zone).date).toBe('2026-11-30')
  const cleared = { ...monday, ...movedTo('', monday) }
  expect(cleared).toMatchObject({ date: '', days: [1] })
  expect(movedTo('2026-12-01', cleared)).toMatchObject({ date: '2026-12-01', days: [2] })
  expect(movedTo('2026-12-01', { ...monday, days: [1, 5] }).days).toEqual([1, 5])
  expect(movedTo('2026-12-01', { ...monday, days: [5] }).days).toEqual([5])
})

test('the end keeps its distance to the day of the begin', () => {
  const draft = { ...newDraft(now, zone), endDate: '2026-11-29' }
  expect(movedTo('2026-12-31', draft).endDate).toBe('2027-01-01')
  expect(movedTo('2026-11-27', draft).endDate).toBe('2026-11-28')
  expect(movedTo('', draft).endDate).toBe('2026-11-29')
  expect(movedTo('2026-12-31', { ...draft, endDate: '' }).endDate).toBe('')
})

test('reads days and times in the zone, and moves a time forward that summer time leaves out', () => {
  expect(momentOf('2026-07-01', '20:00', zone)).toBe(at('2026-07-01T18:00:00Z'))
  expect(momentOf('2026-03-29', '02:30', zone)).toBe(at('2026-03-29T01:30:00Z'))
  expect(wallOf(at('2026-03-29T01:30:00Z'), zone)).toEqual({ date: '2026-03-29', time: '03:30' })
  const second = at('2026-07-01T18:00:07Z')
  expect(wallOf(second, zone)).toEqual({ date: '2026-07-01', time: '20:00:07' })
  expect(momentOf('2026-07-01', '20:00:07', zone)).toBe(second)
  expect(momentOf('', '02:30', zone)).toBeNull()
  expect(momentOf('2026-02-31', '02:30', zone)).toBeNull()
})

test('keeps the wall time over a change of clocks', () => {
  const weekly = { ...newDraft(now, zone), date: '2026-10-23', time: '20:00', repeat: 'week', days: [1, 5] } as const
  expect(nextDates(weekly, Date.parse('2026-10-20T00:00:00Z')).map((seconds) => wallOf(seconds, zone))).toEqual([
    { date: '2026-10-23', time: '20:00' },
    { date: '2026-10-26', time: '20:00' },
    { date: '2026-10-30', time: '20:00' },
    { date: '2026-11-02', time: '20:00' },
    { date: '2026-11-06', time: '20:00' },
  ])
})

test('shows no dates while the rule is not complete', () => {
  const draft = { ...newDraft(now, zone), repeat: 'day' } as const
  expect(nextDates({ ...draft, n: '' }, now)).toEqual([])
  expect(nextDates({ ...draft, date: '' }, now)).toEqual([])
  expect(nextDates({ ...draft, repeat: 'week', days: [] }, now)).toEqual([])
  expect(nextDates({ ...draft, over: 'count', count: '2' }, now)).toHaveLength(2)
})

const schedule: Schedule = {
  id: 3,
  project_id: 7,
  group_id: 5,
  taskId: null,
  start_at: at('2026-12-01T19:00:00Z'),
  end_at: at('2026-12-01T21:00:00Z'),
  active: true,
  channel_ids: [5, 6],
  mode: 'video',
  type: 'video',
  video: { ids: [4, 2, 4], loop: true, items: [] },
  name: 'Evening',
  zone,
  repeat: { every: 'week', n: 2, days: [2, 4], until: at('2027-01-31T22:59:59Z') },
  late: 'join',
  late_max: 300,
  return: 'stay',
  titles: [{ channel_id: 5, title: 'Film night' }],
  planned: { privacy: 'unlisted', description: 'With guests' },
  planned_at: [],
  duration: null,
  next: [],
  run: null,
  last: null,
  missed: 0,
}

test('a schedule survives its form', () => {
  expect(inputOf(draftOf(schedule, now))).toEqual({
    name: 'Evening',
    channel_ids: [5, 6],
    start_at: schedule.start_at,
    end_at: schedule.end_at,
    video: { ids: [4, 2, 4], loop: true },
    zone,
    repeat: schedule.repeat,
    late: 'join',
    late_max: 300,
    return: 'stay',
    titles: [{ channel_id: 5, title: 'Film night' }],
    planned: { privacy: 'unlisted', description: 'With guests' },
  })
})

test('keeps seconds and the second of two equal hours while day and time stay', () => {
  const begin = at('2026-10-25T01:30:12Z')
  const draft = draftOf({ ...schedule, start_at: begin, end_at: begin + 90, repeat: null }, now)
  expect(draft).toMatchObject({ date: '2026-10-25', time: '02:30:12', endTime: '02:31:42' })
  expect(inputOf(draft)).toMatchObject({ start_at: begin, end_at: begin + 90 })
  expect(inputOf({ ...draft, name: 'Night' }).start_at).toBe(begin)
  expect(inputOf({ ...draft, date: '2026-10-26' }).start_at).toBe(at('2026-10-26T01:30:12Z'))
  expect(inputOf({ ...draft, time: '02:30' }).start_at).toBe(at('2026-10-25T00:30:00Z'))
  expect(inputOf({ ...draft, zone: 'UTC' }).start_at).toBe(at('2026-10-25T02:30:12Z'))
})

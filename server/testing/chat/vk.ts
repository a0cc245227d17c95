// Test double of the chat of VK: methods of the API 5.199 (dev.vk.com/method/video) and the long poll of a live video.
import { type DoublePlatform, DoubleReply, type DoubleRequest } from '#server/testing/providers/double.ts'

export interface VkChat {
  readonly platform: DoublePlatform
  /** Writes a comment as a user of VK. @returns its id */
  say(text: string, more?: Readonly<Record<string, unknown>>): number
  /** Delivers an event of any form to the poll. */
  deliver(event: unknown): void
  /** Answers the next poll with `failed`. */
  fail(failed: 1 | 2 | 3): void
  /** Refuses the next call of a method with an error of the API. */
  refuse(method: string, code: number): void
  readonly comments: Readonly<Record<string, unknown>>[]
  /** Calls with side effects. */
  readonly acts: { readonly method: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** Keys of the polls that were opened. */
  keys: number
  /** Answers each poll immediately, without an event. */
  isEmpty: boolean
  polls: number
}

const bob = { id: 42, first_name: 'Bob', last_name: 'Example', photo_100: 'https://sun1.userapi.com/bob.jpg' }
const club = { id: 321, name: 'Chess club', photo_100: '' }
const authors = { profiles: [bob], groups: [club] }

type Route = (request: DoubleRequest) => unknown

/** Returns a function that makes the route of a method, which refuses on demand and records side effects. */
function routeOf(refusals: ReadonlyMap<string, number[]>, onAct: (act: VkChat['acts'][number]) => void) {
  return (name: string, answer: Route, body: readonly string[] = []) => [
    `POST api.vk.com/method/${name}`,
    {
      type: 'form',
      body,
      answer(request: DoubleRequest) {
        const code = refusals.get(name)?.shift()
        if (code !== undefined) return { error: { error_code: code, error_msg: `Error ${code}` } }
        if (/create|delete|ban/.test(name)) onAct({ method: name, body: request.body })
        return answer(request)
      },
    },
  ]
}

/** Creates the double: one live video, 8, of the community -321. */
export function vkChat(): VkChat {
  const events: unknown[] = []
  const failures: number[] = []
  const refusals = new Map<string, number[]>()
  const guids = new Map<string, number>()
  let wake: (() => void) | null = null
  let nextId = 1

  const deliver = (event: unknown) => {
    events.push(event)
    wake?.()
  }
  const say = (text: string, more: Readonly<Record<string, unknown>> = {}) => {
    const comment = { id: nextId++, from_id: bob.id, date: 1_772_960_400, text, ...more }
    double.comments.push(comment)
    const from = comment.from_id < 0 ? { group: club } : { user: bob }
    deliver(`${JSON.stringify({ type: 'video_comment_new', comment, ...from })}<!>0`)
    return comment.id
  }

  async function poll({ query, gone }: DoubleRequest): Promise<unknown> {
    const at = Number(query.get('ts'))
    const failed = failures.shift()
    double.polls++
    if (failed !== undefined) return failed === 1 ? { failed, ts: events.length } : { failed }
    if (query.get('key') !== `key-${double.keys}`) return { failed: 2 }
    if (events.length <= at && !double.isEmpty) {
      await new Promise<void>((done) => {
        wake = done
        gone.addEventListener('abort', () => done())
      })
    }
    return { ts: String(events.length), events: events.slice(at) }
  }
  function create({ body }: DoubleRequest): unknown {
    const guid = String(body['guid'])
    const known = guids.get(guid)
    if (known !== undefined) return { response: known }
    const from = body['from_group'] === '1' ? -321 : 9
    const reply = body['reply_to_comment']
    const id = say(String(body['message']), { from_id: from, ...(reply ? { reply_to_comment: Number(reply) } : {}) })
    guids.set(guid, id)
    return { response: id }
  }
  function listed({ body }: DoubleRequest): unknown {
    const from = Number(body['start_comment_id'] ?? 0)
    const after = double.comments.filter((comment) => Number(comment['id']) >= from)
    const items = body['sort'] === 'desc' ? after.toReversed() : after
    return { response: { count: items.length, items: items.slice(0, Number(body['count'] ?? 20)), ...authors } }
  }
  function remove({ body }: DoubleRequest): unknown {
    const at = double.comments.findIndex(({ id }) => String(id) === body['comment_id'])
    if (at < 0) return { error: { error_code: 104, error_msg: 'Not found' } }
    double.comments.splice(at, 1)
    deliver({ type: 'video_comment_delete', comment_id: Number(body['comment_id']) })
    return { response: 1 }
  }
  const method = routeOf(refusals, (act) => double.acts.push(act))
  const methods = [
    method(
      'video.getLongPollServer',
      () => ({ response: { url: `https://lp.vk.com/video?act=a_check&key=key-${++double.keys}&ts=${events.length}` } }),
      ['owner_id', 'video_id'],
    ),
    method('video.getComments', listed, ['owner_id', 'video_id']),
    method('video.createComment', create, ['owner_id', 'video_id', 'message']),
    method('video.deleteComment', remove, ['owner_id', 'comment_id']),
    method('video.get', () => ({ response: { count: 1, items: [{ id: 8, owner_id: -321, live_status: 'started' }] } })),
    method('groups.ban', () => ({ response: 1 }), ['group_id', 'owner_id']),
    method('groups.unban', () => ({ response: 1 }), ['group_id', 'owner_id']),
  ]
  const double: VkChat = {
    comments: [],
    acts: [],
    keys: 0,
    isEmpty: false,
    polls: 0,
    say,
    deliver,
    fail(failed) {
      failures.push(failed)
      wake?.()
    },
    refuse: (name, code) => void refusals.set(name, [...(refusals.get(name) ?? []), code]),
    platform: {
      // In the header, or in the body as clients of VK send it.
      tokenOf({ headers, body }, problems) {
        if (body['v'] === undefined) problems.push('no version')
        return (headers.authorization ?? '').replace('Bearer ', '') || String(body['access_token'])
      },
      unauthorized: new DoubleReply(200, { error: { error_code: 5, error_msg: 'User authorization failed' } }),
      routes: {
        ...(Object.fromEntries(methods) as DoublePlatform['routes']),
        'GET lp.vk.com/video': { open: true, query: ['act', 'key', 'ts', 'wait'], answer: poll },
      },
    },
  }
  return double
}

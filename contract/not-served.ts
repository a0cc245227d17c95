// Known operations that are not served yet, with their paths only. A group that gets its own file loses its rows here;
// a test ensures that no operation is in both places.

/** A group, or a part of one, that is not served yet. */
export interface NotServedGroup {
  readonly area: string
  readonly name: string
  /** Name of the group in the brief, or in the published description where the brief does not list it. */
  readonly title: string
  /** `METHOD path`, and the brief's name of the operation where the brief lists it. Paths are below `/method/`. */
  readonly operations: readonly (readonly [route: string, briefName?: string])[]
}

export const notServed: readonly NotServedGroup[] = [
  {
    area: 'billing',
    name: 'pay-systems',
    title: 'Pay system',
    operations: [
      ['GET pay-system/tonconnect/intent'],
      ['GET pay-system/tonconnect/status'],
      ['POST pay-system/tonconnect/submit'],
      ['GET pay-system/tron/intent'],
      ['GET pay-system/tron/status'],
      ['POST pay-system/tron/submit'],
      ['GET pay-system/walletconnect/intent'],
      ['GET pay-system/walletconnect/status'],
      ['POST pay-system/walletconnect/submit'],
    ],
  },
  {
    area: 'tariffs',
    name: 'webinar',
    title: 'PlanWebinar',
    operations: [
      ['DELETE plan_webinar'],
      ['GET plan_webinar'],
      ['POST plan_webinar'],
      ['GET plan_webinar/check'],
      ['GET plan_webinar/get_discount'],
      ['GET plan_webinar/list'],
      ['POST plan_webinar/prolongation'],
    ],
  },
  {
    area: 'webinars',
    name: 'rooms',
    title: 'Webinar',
    operations: [
      ['POST webinar/room/create'],
      ['POST webinar/room/delete'],
      ['POST webinar/room/join'],
      ['POST webinar/room/join-anonymous'],
      ['GET webinar/room/list'],
      ['GET webinar/room/pre-join'],
      ['GET webinar/room/sync'],
      ['POST webinar/room/sync'],
      ['POST webinar/room/update'],
    ],
  },
  {
    area: 'webinars',
    name: 'streams',
    title: 'Webinar',
    operations: [
      ['GET webinar/stream/last'],
      ['POST webinar/stream/pause'],
      ['POST webinar/stream/play'],
      ['GET webinar/stream/setting'],
      ['POST webinar/stream/setting'],
      ['POST webinar/stream/start'],
      ['POST webinar/stream/stop'],
    ],
  },
]

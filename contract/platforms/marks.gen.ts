// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { mark as bizon } from './bizon/facts.ts'
import { mark as boosty } from './boosty/facts.ts'
import { mark as custom } from './custom/facts.ts'
import { mark as douyu } from './douyu/facts.ts'
import { mark as fb } from './fb/facts.ts'
import { mark as fc2Live } from './fc2Live/facts.ts'
import { mark as getcourse } from './getcourse/facts.ts'
import { mark as goodgame } from './goodgame/facts.ts'
import { mark as huya } from './huya/facts.ts'
import { mark as instagram } from './instagram/facts.ts'
import { mark as kick } from './kick/facts.ts'
import { mark as kinescope } from './kinescope/facts.ts'
import { mark as linkedin } from './linkedin/facts.ts'
import { mark as navertv } from './navertv/facts.ts'
import { mark as nimotv } from './nimotv/facts.ts'
import { mark as nonolive } from './nonolive/facts.ts'
import { mark as ok } from './ok/facts.ts'
import { mark as plvideo } from './plvideo/facts.ts'
import { mark as rutube } from './rutube/facts.ts'
import { mark as srt } from './srt/facts.ts'
import { mark as steam } from './steam/facts.ts'
import { mark as tachid } from './tachid/facts.ts'
import { mark as telegram } from './telegram/facts.ts'
import { mark as tiktok } from './tiktok/facts.ts'
import { mark as trovo } from './trovo/facts.ts'
import { mark as twitch } from './twitch/facts.ts'
import { mark as vk } from './vk/facts.ts'
import { mark as vkvideolive } from './vkvideolive/facts.ts'
import { mark as vlive } from './vlive/facts.ts'
import { mark as youtube } from './youtube/facts.ts'
import { mark as zhanqitv } from './zhanqitv/facts.ts'

/** Signs of the platforms. */
export const marks = {
  bizon: bizon,
  boosty: boosty,
  custom: custom,
  douyu: douyu,
  fb: fb,
  fc2Live: fc2Live,
  getcourse: getcourse,
  goodgame: goodgame,
  huya: huya,
  instagram: instagram,
  kick: kick,
  kinescope: kinescope,
  linkedin: linkedin,
  navertv: navertv,
  nimotv: nimotv,
  nonolive: nonolive,
  ok: ok,
  plvideo: plvideo,
  rutube: rutube,
  srt: srt,
  steam: steam,
  tachid: tachid,
  telegram: telegram,
  tiktok: tiktok,
  trovo: trovo,
  twitch: twitch,
  vk: vk,
  vkvideolive: vkvideolive,
  vlive: vlive,
  youtube: youtube,
  zhanqitv: zhanqitv,
} as const

// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { servers as bizon } from './bizon/facts.ts'
import { servers as boosty } from './boosty/facts.ts'
import { servers as custom } from './custom/facts.ts'
import { servers as douyu } from './douyu/facts.ts'
import { servers as fb } from './fb/facts.ts'
import { servers as fc2Live } from './fc2Live/facts.ts'
import { servers as getcourse } from './getcourse/facts.ts'
import { servers as goodgame } from './goodgame/facts.ts'
import { servers as huya } from './huya/facts.ts'
import { servers as instagram } from './instagram/facts.ts'
import { servers as kick } from './kick/facts.ts'
import { servers as kinescope } from './kinescope/facts.ts'
import { servers as linkedin } from './linkedin/facts.ts'
import { servers as navertv } from './navertv/facts.ts'
import { servers as nimotv } from './nimotv/facts.ts'
import { servers as nonolive } from './nonolive/facts.ts'
import { servers as ok } from './ok/facts.ts'
import { servers as plvideo } from './plvideo/facts.ts'
import { servers as rutube } from './rutube/facts.ts'
import { servers as srt } from './srt/facts.ts'
import { servers as steam } from './steam/facts.ts'
import { servers as tachid } from './tachid/facts.ts'
import { servers as telegram } from './telegram/facts.ts'
import { servers as tiktok } from './tiktok/facts.ts'
import { servers as trovo } from './trovo/facts.ts'
import { servers as twitch } from './twitch/facts.ts'
import { servers as vk } from './vk/facts.ts'
import { servers as vkvideolive } from './vkvideolive/facts.ts'
import { servers as vlive } from './vlive/facts.ts'
import { servers as youtube } from './youtube/facts.ts'
import { servers as zhanqitv } from './zhanqitv/facts.ts'

/** Servers of the platforms. */
export const servers = {
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

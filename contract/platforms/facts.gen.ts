// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { facts as bizon } from './bizon/facts.ts'
import { facts as boosty } from './boosty/facts.ts'
import { facts as custom } from './custom/facts.ts'
import { facts as douyu } from './douyu/facts.ts'
import { facts as fb } from './fb/facts.ts'
import { facts as fc2Live } from './fc2Live/facts.ts'
import { facts as getcourse } from './getcourse/facts.ts'
import { facts as goodgame } from './goodgame/facts.ts'
import { facts as huya } from './huya/facts.ts'
import { facts as instagram } from './instagram/facts.ts'
import { facts as kick } from './kick/facts.ts'
import { facts as kinescope } from './kinescope/facts.ts'
import { facts as linkedin } from './linkedin/facts.ts'
import { facts as navertv } from './navertv/facts.ts'
import { facts as nimotv } from './nimotv/facts.ts'
import { facts as nonolive } from './nonolive/facts.ts'
import { facts as ok } from './ok/facts.ts'
import { facts as plvideo } from './plvideo/facts.ts'
import { facts as rutube } from './rutube/facts.ts'
import { facts as srt } from './srt/facts.ts'
import { facts as steam } from './steam/facts.ts'
import { facts as tachid } from './tachid/facts.ts'
import { facts as telegram } from './telegram/facts.ts'
import { facts as tiktok } from './tiktok/facts.ts'
import { facts as trovo } from './trovo/facts.ts'
import { facts as twitch } from './twitch/facts.ts'
import { facts as vk } from './vk/facts.ts'
import { facts as vkvideolive } from './vkvideolive/facts.ts'
import { facts as vlive } from './vlive/facts.ts'
import { facts as youtube } from './youtube/facts.ts'
import { facts as zhanqitv } from './zhanqitv/facts.ts'

/** Identity and abilities of the platforms. */
export const facts = {
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

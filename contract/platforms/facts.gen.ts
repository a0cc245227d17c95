// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { facts as bizon } from '#contract/platforms/bizon/facts.ts'
import { facts as boosty } from '#contract/platforms/boosty/facts.ts'
import { facts as custom } from '#contract/platforms/custom/facts.ts'
import { facts as douyu } from '#contract/platforms/douyu/facts.ts'
import { facts as fb } from '#contract/platforms/fb/facts.ts'
import { facts as fc2Live } from '#contract/platforms/fc2Live/facts.ts'
import { facts as getcourse } from '#contract/platforms/getcourse/facts.ts'
import { facts as goodgame } from '#contract/platforms/goodgame/facts.ts'
import { facts as huya } from '#contract/platforms/huya/facts.ts'
import { facts as instagram } from '#contract/platforms/instagram/facts.ts'
import { facts as kick } from '#contract/platforms/kick/facts.ts'
import { facts as kinescope } from '#contract/platforms/kinescope/facts.ts'
import { facts as linkedin } from '#contract/platforms/linkedin/facts.ts'
import { facts as navertv } from '#contract/platforms/navertv/facts.ts'
import { facts as nimotv } from '#contract/platforms/nimotv/facts.ts'
import { facts as nonolive } from '#contract/platforms/nonolive/facts.ts'
import { facts as ok } from '#contract/platforms/ok/facts.ts'
import { facts as plvideo } from '#contract/platforms/plvideo/facts.ts'
import { facts as rutube } from '#contract/platforms/rutube/facts.ts'
import { facts as srt } from '#contract/platforms/srt/facts.ts'
import { facts as steam } from '#contract/platforms/steam/facts.ts'
import { facts as tachid } from '#contract/platforms/tachid/facts.ts'
import { facts as telegram } from '#contract/platforms/telegram/facts.ts'
import { facts as tiktok } from '#contract/platforms/tiktok/facts.ts'
import { facts as trovo } from '#contract/platforms/trovo/facts.ts'
import { facts as twitch } from '#contract/platforms/twitch/facts.ts'
import { facts as vk } from '#contract/platforms/vk/facts.ts'
import { facts as vkvideolive } from '#contract/platforms/vkvideolive/facts.ts'
import { facts as vlive } from '#contract/platforms/vlive/facts.ts'
import { facts as youtube } from '#contract/platforms/youtube/facts.ts'
import { facts as zhanqitv } from '#contract/platforms/zhanqitv/facts.ts'

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

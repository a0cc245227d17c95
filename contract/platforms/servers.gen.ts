// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { servers as bizon } from '#contract/platforms/bizon/facts.ts'
import { servers as boosty } from '#contract/platforms/boosty/facts.ts'
import { servers as custom } from '#contract/platforms/custom/facts.ts'
import { servers as douyu } from '#contract/platforms/douyu/facts.ts'
import { servers as fb } from '#contract/platforms/fb/facts.ts'
import { servers as fc2Live } from '#contract/platforms/fc2Live/facts.ts'
import { servers as getcourse } from '#contract/platforms/getcourse/facts.ts'
import { servers as goodgame } from '#contract/platforms/goodgame/facts.ts'
import { servers as huya } from '#contract/platforms/huya/facts.ts'
import { servers as instagram } from '#contract/platforms/instagram/facts.ts'
import { servers as kick } from '#contract/platforms/kick/facts.ts'
import { servers as kinescope } from '#contract/platforms/kinescope/facts.ts'
import { servers as linkedin } from '#contract/platforms/linkedin/facts.ts'
import { servers as navertv } from '#contract/platforms/navertv/facts.ts'
import { servers as nimotv } from '#contract/platforms/nimotv/facts.ts'
import { servers as nonolive } from '#contract/platforms/nonolive/facts.ts'
import { servers as ok } from '#contract/platforms/ok/facts.ts'
import { servers as plvideo } from '#contract/platforms/plvideo/facts.ts'
import { servers as rutube } from '#contract/platforms/rutube/facts.ts'
import { servers as srt } from '#contract/platforms/srt/facts.ts'
import { servers as steam } from '#contract/platforms/steam/facts.ts'
import { servers as tachid } from '#contract/platforms/tachid/facts.ts'
import { servers as telegram } from '#contract/platforms/telegram/facts.ts'
import { servers as tiktok } from '#contract/platforms/tiktok/facts.ts'
import { servers as trovo } from '#contract/platforms/trovo/facts.ts'
import { servers as twitch } from '#contract/platforms/twitch/facts.ts'
import { servers as vk } from '#contract/platforms/vk/facts.ts'
import { servers as vkvideolive } from '#contract/platforms/vkvideolive/facts.ts'
import { servers as vlive } from '#contract/platforms/vlive/facts.ts'
import { servers as youtube } from '#contract/platforms/youtube/facts.ts'
import { servers as zhanqitv } from '#contract/platforms/zhanqitv/facts.ts'

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

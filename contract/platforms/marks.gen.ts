// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { mark as bizon } from '#contract/platforms/bizon/facts.ts'
import { mark as boosty } from '#contract/platforms/boosty/facts.ts'
import { mark as custom } from '#contract/platforms/custom/facts.ts'
import { mark as douyu } from '#contract/platforms/douyu/facts.ts'
import { mark as fb } from '#contract/platforms/fb/facts.ts'
import { mark as fc2Live } from '#contract/platforms/fc2Live/facts.ts'
import { mark as getcourse } from '#contract/platforms/getcourse/facts.ts'
import { mark as goodgame } from '#contract/platforms/goodgame/facts.ts'
import { mark as huya } from '#contract/platforms/huya/facts.ts'
import { mark as instagram } from '#contract/platforms/instagram/facts.ts'
import { mark as kick } from '#contract/platforms/kick/facts.ts'
import { mark as kinescope } from '#contract/platforms/kinescope/facts.ts'
import { mark as linkedin } from '#contract/platforms/linkedin/facts.ts'
import { mark as navertv } from '#contract/platforms/navertv/facts.ts'
import { mark as nimotv } from '#contract/platforms/nimotv/facts.ts'
import { mark as nonolive } from '#contract/platforms/nonolive/facts.ts'
import { mark as ok } from '#contract/platforms/ok/facts.ts'
import { mark as plvideo } from '#contract/platforms/plvideo/facts.ts'
import { mark as rutube } from '#contract/platforms/rutube/facts.ts'
import { mark as srt } from '#contract/platforms/srt/facts.ts'
import { mark as steam } from '#contract/platforms/steam/facts.ts'
import { mark as tachid } from '#contract/platforms/tachid/facts.ts'
import { mark as telegram } from '#contract/platforms/telegram/facts.ts'
import { mark as tiktok } from '#contract/platforms/tiktok/facts.ts'
import { mark as trovo } from '#contract/platforms/trovo/facts.ts'
import { mark as twitch } from '#contract/platforms/twitch/facts.ts'
import { mark as vk } from '#contract/platforms/vk/facts.ts'
import { mark as vkvideolive } from '#contract/platforms/vkvideolive/facts.ts'
import { mark as vlive } from '#contract/platforms/vlive/facts.ts'
import { mark as youtube } from '#contract/platforms/youtube/facts.ts'
import { mark as zhanqitv } from '#contract/platforms/zhanqitv/facts.ts'

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

// Generated from contract/areas/*/*.ts by scripts/house/registries.ts; do not edit.

/** Names of refusals. */
export type ErrorName =
  | 'AccountInvalid'
  | 'AccountNotFound'
  | 'AddressNotAllowed'
  | 'AddressNotUsable'
  | 'AlreadyAdded'
  | 'AlreadyAdded_address'
  | 'AlreadyMember'
  | 'AlreadyMember_you'
  | 'AlreadyShared'
  | 'AlreadySuspended'
  | 'AmountDiffers'
  | 'AmountIsZero'
  | 'AmountNotAllowed'
  | 'ApiTokenNotFound'
  | 'AppNotFound'
  | 'AuthenticatorMissing'
  | 'AuthenticatorSet'
  | 'AuthorizationDeclined'
  | 'AuthorizationExpired'
  | 'AuthorizationRejected'
  | 'BadRequest'
  | 'BadRequest_address'
  | 'BadRequest_cut'
  | 'BadRequest_form'
  | 'BadRequest_json'
  | 'BadRequest_length'
  | 'BalanceTooHigh'
  | 'BalanceTooLow'
  | 'BonusWithProvider'
  | 'BroadcastIsOver'
  | 'BroadcastNotFound'
  | 'BrowserNotFound'
  | 'CannotModerate'
  | 'CannotWrite'
  | 'CatalogueInvalid'
  | 'CatalogueInvalid_file'
  | 'ChatNotConnected'
  | 'ChatRefused_account'
  | 'ChatRefused_forbidden'
  | 'ChatRefused_gone'
  | 'ChatRefused_lost'
  | 'ChatRefused_no_chat'
  | 'ChatRefused_page'
  | 'ChatRefused_quota'
  | 'ChatRefused_reconnect'
  | 'ChatRefused_rejected'
  | 'ChatRefused_scope'
  | 'ChatRefused_setup'
  | 'ChatRefused_too_fast'
  | 'ChatRefused_too_long'
  | 'ChatRefused_unknown'
  | 'ChatRefused_unreachable'
  | 'ChatRefused_unsupported'
  | 'CodeClock_ahead'
  | 'CodeClock_behind'
  | 'CodeRejected'
  | 'CodeRejected_session'
  | 'CodeWrong'
  | 'CodeWrong_app'
  | 'CurrencyDiffers'
  | 'CurrencyInUse'
  | 'DatabaseUnavailable'
  | 'DebtOpen'
  | 'DiskFull'
  | 'DisputeOpen'
  | 'DisputeReported'
  | 'EmailMissing'
  | 'EmailTaken'
  | 'EndpointNotAllowed'
  | 'FactorDemanded'
  | 'FactorMissing'
  | 'FilmTooLarge'
  | 'Forbidden'
  | 'Forbidden_metrics'
  | 'Forbidden_project'
  | 'Forbidden_session'
  | 'GiftReplacesPlan'
  | 'GrantNotFound'
  | 'I18nValidationException'
  | 'I18nValidationException_body'
  | 'IdempotencyKeyReused'
  | 'InsufficientBalance'
  | 'InternalError'
  | 'InviteRejected'
  | 'KeyMayNotWrite'
  | 'KeyNotFound'
  | 'KeyUnreadable'
  | 'KeyUnreadable_stream'
  | 'LastOperator'
  | 'LastOwner'
  | 'LastPeriod'
  | 'LastWayToSignIn'
  | 'MailNotSent'
  | 'MediaInUse'
  | 'MediaNotFound'
  | 'MediaNotProcessing'
  | 'MediaNotReady'
  | 'MediaTooLong'
  | 'MessageGone'
  | 'MessageIdReused'
  | 'MessageNotFound'
  | 'MethodNotAllowed'
  | 'MethodNotFound'
  | 'NextPlanDiffers'
  | 'NoAccount'
  | 'NoAccount_lost'
  | 'NoBroadcast'
  | 'NoBrowserServer'
  | 'NoCapacity'
  | 'NoChannelThere'
  | 'NoChatToWrite'
  | 'NoCommunity'
  | 'NoDispute'
  | 'NoFile'
  | 'NoHealing'
  | 'NoInvoice'
  | 'NoJob'
  | 'NoNextPlan'
  | 'NoNode'
  | 'NoOperator'
  | 'NoPaper'
  | 'NoPicture'
  | 'NoPicture_now'
  | 'NoProject'
  | 'NoReceipt'
  | 'NoReview'
  | 'NoStorage'
  | 'NoStream'
  | 'NoSuchRange'
  | 'NodeAway'
  | 'NodeTooOld'
  | 'NotAnother'
  | 'NotDraining'
  | 'NotFailed'
  | 'NotFound'
  | 'NotMember'
  | 'NotReady'
  | 'NotServedYet'
  | 'NotShared'
  | 'NotSuspended'
  | 'NotThere'
  | 'NotVerified'
  | 'NothingToRenew'
  | 'NothingToRetry'
  | 'NothingToTest'
  | 'NotificationNotFound'
  | 'OneOwner'
  | 'OnlyForPrograms'
  | 'OperatorAlready'
  | 'OtherPlatform'
  | 'OwnProject'
  | 'OwnerNeeded'
  | 'OwnerStays'
  | 'PageNotFound'
  | 'PageNotFound_policy'
  | 'PasskeyCloned'
  | 'PasskeyKnown'
  | 'PasskeyLimit'
  | 'PasskeyNotFound'
  | 'PasskeyOrigin'
  | 'PasskeyRefused'
  | 'PasswordWrong'
  | 'PaySystemNotOffered'
  | 'PayloadTooLarge'
  | 'PayloadTooLarge_fields'
  | 'PayloadTooLarge_file'
  | 'PayloadTooLarge_files'
  | 'PayloadTooLarge_parts'
  | 'PaymentEnded'
  | 'PaymentNotFound'
  | 'PaymentUnreadable'
  | 'PaymentsOff'
  | 'PaymentsOff_provider'
  | 'PayoutAmount'
  | 'PayoutDone'
  | 'PayoutLimits'
  | 'PayoutNotFound'
  | 'PayoutWayNotFound'
  | 'PeriodNotForSale'
  | 'PersonalProject'
  | 'PictureFormat'
  | 'PictureTooLarge'
  | 'PlaceNotFound'
  | 'PlanHasCode'
  | 'PlanInvalid_custom'
  | 'PlanInvalid_fixed'
  | 'PlanInvalid_free'
  | 'PlanInvalid_steps'
  | 'PlanLimitReached_change_subject'
  | 'PlanLimitReached_channels'
  | 'PlanLimitReached_create_projects'
  | 'PlanLimitReached_custom_channels'
  | 'PlanLimitReached_pull_links'
  | 'PlanLimitReached_transcoder_fps'
  | 'PlanLimitReached_transcoder_resolution'
  | 'PlanLimitReached_transcoders'
  | 'PlanLimitReached_wait_minutes'
  | 'PlanNotForSale'
  | 'PlanNotFound'
  | 'PlanSold'
  | 'PlannedNotFound'
  | 'PostNotFound'
  | 'ProjectMissing'
  | 'ProjectNotFound'
  | 'ProjectNotFound_public'
  | 'ProjectSuspended'
  | 'ProlongationLimit'
  | 'PromoAtPurchase'
  | 'PromoCodeInvalid'
  | 'PromoEnded'
  | 'PromoExists'
  | 'PromoIncomplete'
  | 'PromoNoReduction'
  | 'PromoNotFound'
  | 'PromoNotFound_ended'
  | 'PromoNotNow'
  | 'PromoOtherCurrency'
  | 'PromoUsed'
  | 'ProviderNotConfigured'
  | 'ProviderNotConfigured_bot'
  | 'ProviderRefused'
  | 'ProviderRefused_because'
  | 'ProviderRefused_profile'
  | 'ProviderUnavailable'
  | 'QuoteChanged'
  | 'RecordingBusy'
  | 'RecordingNotReady'
  | 'RedirectUriInvalid'
  | 'ReferralRejected'
  | 'RefreshRejected'
  | 'RefreshTokenRejected'
  | 'RefundTooHigh'
  | 'RegionNotFound'
  | 'RemoteAddress'
  | 'RemoteAddress_private'
  | 'RemoteMissing'
  | 'RemoteRunning'
  | 'RestreamNotFound'
  | 'ReviewCurrency'
  | 'ReviewCurrency_refund'
  | 'SameCurrency'
  | 'SameProject'
  | 'ScheduleBitrate'
  | 'ScheduleChannel'
  | 'ScheduleEnd'
  | 'ScheduleEndless'
  | 'ScheduleNotFound'
  | 'ScheduleNotRunning'
  | 'ScheduleOver'
  | 'ScheduleStart'
  | 'ScheduleTitle'
  | 'ScheduleTooFar'
  | 'ScheduleVideo'
  | 'ScopeMissing'
  | 'SecondFactorDemanded'
  | 'SecondFactorNeeded'
  | 'SenderMissing'
  | 'ServerAway'
  | 'SessionNotFound'
  | 'SettingNotOffered'
  | 'SignInAgain'
  | 'SignUpClosed'
  | 'SocialConnected'
  | 'SocialNotFound'
  | 'SocialTaken'
  | 'StorageFull'
  | 'StoreAway'
  | 'TelegramExpired'
  | 'TelegramNotConfigured'
  | 'TelegramRejected'
  | 'TextEmpty'
  | 'TokenInUrl'
  | 'TooManyApiTokens'
  | 'TooManyApps'
  | 'TooManyChannels'
  | 'TooManyDownloads'
  | 'TooManyGuests'
  | 'TooManyInvites'
  | 'TooManyKeys'
  | 'TooManyMedia'
  | 'TooManyMedia_films'
  | 'TooManyMembers'
  | 'TooManyMuted'
  | 'TooManyPapers'
  | 'TooManyPayments'
  | 'TooManyPayouts'
  | 'TooManyProjects'
  | 'TooManyRequests'
  | 'TooManySchedules'
  | 'TooManyTranscoders'
  | 'TooManyViewers'
  | 'TooManyWebhooks'
  | 'TooManyWidgets'
  | 'TooOld'
  | 'TranscoderNotFound'
  | 'TwitchLimit'
  | 'Unauthorized'
  | 'Unauthorized_apiToken'
  | 'Unauthorized_ticket'
  | 'UnknownAction'
  | 'UnknownOperation'
  | 'UnsupportedMediaType_form'
  | 'UnsupportedMediaType_json'
  | 'UploadGone'
  | 'UploadLocked'
  | 'UploadNotWritten'
  | 'UploadOffset'
  | 'UploadTooLong'
  | 'UploadsRefused'
  | 'UploadsRefused_disk'
  | 'UserNotFound'
  | 'WebhookNotFound'
  | 'WebsiteInvalid'
  | 'WidgetNotFound'

export type Broadcast = {
  id: number
  created_at: string
  finish_at: string | null
  away?: number
  reconnects: number
  bitrate: number | null
  fps: number | null
  width: number | null
  height: number | null
  location: string | null
  encoder: string | null
  ip: string | null
  viewers: number
  message: number
  restreams: Array<{
    id: number
    channel_id: number
    name: string
    type: string
    photo: string | null
    video: string | null
    viewers: number
    message: number
    created_at: string
    state: 'idle' | 'connecting' | 'publishing' | 'live' | 'degraded' | 'backoff' | 'rejected' | 'stopped'
    reconnects: number
    bytes: number
    date_live?: string | null
    reason?: string | null
    words?: string | null
  }>
}

export type BroadcastEvent = {
  id: number
  level: 'debug' | 'info' | 'warning' | 'error'
  text: string
  created_at: string
  app?: 'live' | 'scheduler' | 'transcoder'
  server?: { id: number; country_name: string; country_code: string; city: string; ip: string } | null
  platform?: string | null
  kind: string
  reason?: string | null
  words?: string | null
  count?: number
  last_at?: string
  channel?: { id: number; name: string; photo?: string | null; type: string } | null
}

export type BroadcastPublication = {
  event: 'restreams.started'
  broadcast_id: number
  event_id: string
  restream_id: number
  payload: { link: string | null }
} | { event: 'restreams.stopped'; broadcast_id: number; event_id: string; restream_id: number; payload: null } | { event: 'broadcast.ended'; broadcast_id: number; event_id: string; restream_id: null; payload: null } | {
  event: 'views'
  broadcast_id: number
  event_id: string
  restream_id: number
  platform: string
  payload: number
} | ChatBatch

export type BroadcastRow = {
  id: number
  created_at: string
  finish_at: string | null
  away?: number
  reconnects: number
  restreams: Array<{ type: string; viewers: number; message: number; date_live?: string | null }>
  recordings?: number | null
}

export type BroadcastStatus = { kind: 'inactive'; status: 'offline'; stopped_broadcast_id?: number } | {
  kind: 'live' | 'scheduler'
  app: 'live' | 'scheduler'
  schedulerId?: number
  video_id?: number
  name?: string
  duration?: number
  broadcast_id: number
  stream_id: number
  status: 'active' | 'pause' | 'lost'
  action: 'active' | 'stopped'
  reconnects: number
  date_start: string
  away?: number
  date_lost?: string
  date_close?: string
  fill?: 'picture' | 'clip' | 'frame'
  backup?: 'connected' | 'on_air'
  resolution: string
  fps: number | null
  bitrate: number | null
  bitrate_max?: number | null
  bitrate_state?: 'fine' | 'high' | 'refused'
  bitrate_judged?: number | null
  verdict?: Verdict
  key_frame: number | null
  paths?: Array<{ share: number }>
  video_codec_name: string | null
  audio_codec_name: string | null
  encoder: string
  server: string
  date_sample: string | null
  restreams: Restream[]
}

export type Channel = {
  name: string
  id: string
  transcoderId?: number
  group_id: number
  type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
  photo_default?: string | null
  sell: boolean
  price?: number | null
  live: boolean
  status: 'init' | 'pending' | 'error' | 'live' | 'offline' | 'busy' | 'wait_transcoding' | 'running_transcoding' | 'error_transcoding'
  user_id?: number | null
  active: boolean
  guestsNum: number
  guestRights: 0 | 1 | 2 | null
  usageType: number
  companyRole: number | null
  threads: number
  streamInfo?: StreamInfo | null
  rtmp: {
    name: string
    path?: string | null
    port?: number | null
    query?: string | null
    domain: string
    protocol: string
  } | null
  credentials: Array<{ cid: number; id: string; status: number; role: number; personal: boolean; update: boolean }> | null
  tokens: {
    account: { status: 'unused' | 'invalid' | 'deprecated' | 'valid' }
    group: { status: 'unused' | 'invalid' | 'deprecated' | 'valid' }
  }
  live_users?: Array<{ restreamId: number; userId: number; video?: string | null; name: string; photo: string }>
  platform: {
    title: string
    type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
    url?: string | null
    extension: 'png' | 'svg'
    edit_name: 0 | 1
  }
  timer?: number | null
  delay?: number | null
  tracks?: TrackChoice
  silence?: 'auto' | 'always' | 'never'
  ladder?: 'same_size' | 'off'
  healing?: boolean
  ingress_url?: string | null
  ingress_protocol?: 'rtmp' | 'rtmps' | 'srt' | null
  stream_key?: string | null
  access_type: 0 | 1 | 2
  account: { id: number; name: string } | null
  channel_url: string
  test?: { reason: string; date: string } | null
}

export type ChannelEvent = {
  event: 'channel-started'
  payload: {
    channel_id: number
    restream_id: number
    user_started: { id: number | null; name: string; photo: string | null; video_url: string | null }
  }
} | { event: 'channel-stopped'; payload: { channel_id: number; restream_id: number } } | {
  event: 'channel-status'
  payload: {
    channel_id: number
    value: 'init' | 'pending' | 'error' | 'live' | 'offline' | 'busy' | 'wait_transcoding' | 'running_transcoding' | 'error_transcoding' | 'beta' | 'dev'
    delay: number | null
    timer: number | null
  }
}

export type ChatBatch = {
  event: 'messages'
  broadcast_id: number
  event_id: string
  restream_id: null
  platform: null
  after?: number
  upto?: number
  payload: ChatChange[]
}

export type ChatCapability = {
  restream_id: number | null
  channel_id: number
  name: string
  platform: string
  state: 'off' | 'connecting' | 'reading' | 'waiting' | 'failed'
  reason: 'reconnect' | 'scope' | 'account' | 'page' | 'setup' | 'quota' | 'no_chat' | 'forbidden' | 'lost' | 'unreachable' | 'plan' | 'unsupported' | null
  until: string | null
  gap_since: string | null
  read: boolean
  send: boolean
  reply: boolean
  delete: boolean
  restricts: 'none' | 'ban' | 'timeout'
  timeout_max: number | null
  text_max: number
  rate: { messages: number; seconds: number }
  needs: 'reconnect' | 'scope' | 'account' | 'plan' | 'page' | 'setup' | 'quota' | null
  popout_url: string | null
  quota?: { read: { left: number; of: number }; write: { left: number; of: number }; until: string }
}

export type ChatChange = {
  action: 'got'
  event_id: string
  restreams: ChatMessageRestream[]
  entities: ChatEntity[]
  text: string
  sender: ChatSender
  created_at: string
  broadcast_id: number
  is_outgoing: boolean
  seq: number
  rev: number
  kind: 'message' | 'paid' | 'member' | 'raid' | 'notice'
  paid: { amount: number; currency: string; text: string } | null
  reply_to: { event_id: string | null; id: string | null } | null
  hidden: 'person' | 'author' | 'word' | 'bot' | 'command' | null
  late: boolean
  deleted: boolean
} | {
  action: 'create'
  event_id: string
  restreams: ChatMessageRestream[]
  entities: ChatEntity[]
  text: string
  sender: ChatSender
  created_at: string
  broadcast_id: number
  is_outgoing: boolean
  seq: number
  rev: number
  kind: 'message' | 'paid' | 'member' | 'raid' | 'notice'
  paid: { amount: number; currency: string; text: string } | null
  reply_to: { event_id: string | null; id: string | null } | null
  hidden: 'person' | 'author' | 'word' | 'bot' | 'command' | null
  late: boolean
  deleted: boolean
} | { action: 'delivered'; event_id: string; restreams: ChatMessageRestream[]; rev: number } | { action: 'deleted'; event_id: string; rev: number } | { action: 'cleared'; restream_id: number; sender_id: string | null; rev: number } | { action: 'starred'; event_id: string | null; rev: number } | { action: 'skipped'; restream_id: number; count: number } | { action: 'gap'; restream_id: number; since: string } | {
  action: 'state'
  restream_id: number
  state: 'off' | 'connecting' | 'reading' | 'waiting' | 'failed'
  reason: 'reconnect' | 'scope' | 'account' | 'page' | 'setup' | 'quota' | 'no_chat' | 'forbidden' | 'lost' | 'unreachable' | 'plan' | 'unsupported' | null
  until: string | null
}

export type ChatEntity = { type: 'text'; text: string } | { type: 'emoji'; id: string; name: string; image: string | null } | { type: 'mention'; text: string; id?: string } | { type: 'link'; text: string; url: string }

export type ChatMessage = {
  event_id: string
  restreams: ChatMessageRestream[]
  entities: ChatEntity[]
  text: string
  sender: ChatSender
  created_at: string
  broadcast_id: number
  is_outgoing: boolean
  seq: number
  rev: number
  kind: 'message' | 'paid' | 'member' | 'raid' | 'notice'
  paid: { amount: number; currency: string; text: string } | null
  reply_to: { event_id: string | null; id: string | null } | null
  hidden: 'person' | 'author' | 'word' | 'bot' | 'command' | null
  late: boolean
  deleted: boolean
}

export type ChatMessageRestream = {
  id: string | null
  event_id?: string
  restream_id: number
  platform: string
  created_at: string
  error?: string
  state: 'sending' | 'delivered' | 'failed' | 'unknown'
  retry_after?: number
}

export type ChatSender = {
  id: string
  name: string
  login?: string
  color?: string
  avatar?: string
  badges: Array<{ id: string; title: string; image?: string }>
  roles: Array<'owner' | 'moderator' | 'member' | 'vip' | 'bot'>
}

export type ChatSettings = {
  words: string[]
  hide_bots: boolean
  hide_commands: boolean
  hold_back: number
  keep_days: number
  muted: Array<{ platform: string; sender_id: string; name: string; date_create?: string | null }>
}

export type ChatTombstone = { event_id: string; rev: number; gone: true }

export type ConnectedApp = {
  grant_id: number
  name: string
  website: string
  picture: string
  scopes: string[]
  project: { id: number; name: string }
  user: { id: number; name: string }
  date_create: string
  date_end: string
  date_use: string | null
  address: string
  program: string
}

export type Country = { name: string; code: string; id: number }

export type Discount = { month: number; quarter: number; year: number; sold?: Array<'month' | 'quarter' | 'year'> }

export type EventPage = {
  results: BroadcastEvent[]
  total: number
  limit: number
  offset: number
  sort_by_date: 'asc' | 'desc'
  next_cursor_id?: number
  next_cursor_datetime?: string
}

export type Graph = { data: number[]; labels: number[]; setting: { step: number; unit: string } }

export type LiveEvent = { event: 'live-status'; payload: Record<string, unknown> } | { event: 'broadcast-event'; broadcast_id: number; payload: Record<string, unknown> } | { event: 'changed'; payload: { operation: string; stale: string[] } }

export type LiveRestreams = {
  results: Array<{
    id: number
    channel_id: number
    channel_name: string
    channel_type: string
    url?: string
    viewer?: number
    message?: number
    like?: number
    restream_id: number
    name: string
    image: string
    platform: string
    viewers: number | null
  }>
  centrifuge: {
    update_url_channel: { token: string; channel: string }
    update_stats_channel: { token: string; channel: string }
  }
}

export type Load = { avg: number; max: number }

export type NotifyAction = {
  name: 'external_link' | 'cabinet_link' | 'landing_link' | 'link' | 'accept' | 'decline' | 'accept_1' | 'accept_2' | 'accept_3'
  value: string
  type: 'primary' | 'secondary' | 'link'
  text: Array<{
    language: 'russian' | 'english' | 'none'
    language_iso: 'en' | 'ru' | 'cn'
    title: string
    complited_title: string
  }>
  icon: string
  group_id: string
  group_type: 'toggle' | 'select' | 'default'
  done?: boolean
}

export type NotifyText = { language: 'russian' | 'english' | 'none'; language_iso: 'en' | 'ru' | 'cn'; title: string; text: string }

export type OperatorPayment = {
  payment_id: number
  amount: number
  currency: 'usd' | 'rub'
  plan_period: 'month' | 'quarter' | 'year' | null
  status: 'pending' | 'success' | 'error' | 'cancel'
  type: 'topup' | 'restream' | 'transcoding' | 'storage'
  title?: string
  pay_name: string
  pay_system_id: number
  reason: string | null
  review: boolean
  purchase: PaymentPurchase | null
  credited: number
  debt_paid: number
  refunded: number
  disputed: number
  instructions: string | null
  date: string
  date_end: string | null
  project_id: number
  project_name: string
  left: number
  may_dispute: boolean
  open_dispute: number
  review_case: { reason: 'amount' | 'currency' | 'return' | 'reinstated' | 'refund'; amount: number; currency: string } | null
}

export type PaperArchive = { month: string; part: number; parts: number; papers: number; url: string }

export type PaperArchives = { results: PaperArchive[]; expires_at: string }

export type Payment = {
  payment_id: number
  amount: number
  currency: 'usd' | 'rub'
  plan_period: 'month' | 'quarter' | 'year' | null
  status: 'pending' | 'success' | 'error' | 'cancel'
  type: 'topup' | 'restream' | 'transcoding' | 'storage'
  title?: string
  pay_name: string
  pay_system_id: number
  reason: string | null
  review: boolean
  purchase: PaymentPurchase | null
  credited: number
  debt_paid: number
  refunded: number
  disputed: number
  instructions: string | null
  date: string
  date_end: string | null
}

export type PaymentPurchase = { outcome: 'bought' | 'kept'; reason: string | null }

export type PlannedInput = { privacy: 'public' | 'unlisted' | 'private'; description?: string }

export type Platform = {
  id: number
  type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
  title: string
  url: string
  extension: 'png' | 'svg'
  is_adding: 0 | 1
  oauth: 0 | 1
  read_chat: 0 | 1
  write_chat: 0 | 1
  edit_name: 0 | 1
  set_title: 0 | 1
  set_description: 0 | 1
  created_stream: 0 | 1
  rtmp_url: 0 | 1
  rtmp_key: 0 | 1
  planned: 0 | 1
  options: 0 | 1
  url_stream: 0 | 1
  viewers: 0 | 1
  messages: 0 | 1
  like: 0 | 1
  ingests: Array<{ title: string; url: string }>
  hosts: string[]
  own_url: 0 | 1
  key_url: string
  oauth_ready: 0 | 1
  bot_ready?: 0 | 1
  missing_settings?: string[]
}

export type Project = {
  name: string
  fename: string
  photo_50: string
  type: 0 | 1
  external_id: string
  internal_id: number
  countrie_id: number
  balance_bonus: number | string
  balance_payment: number | string
  balance_profit: number | string
  currency: 'usd' | 'rub'
}

export type ProjectCard = { user_id: number; name: string; fename: string; photo_50: string; ref_id: string }

export type ProjectEvent = { event: 'stream-start'; payload: { broadcast_id: number; stream_id: number; app: string } } | { event: 'stream-end'; payload?: { broadcast_id: number; stream_id: number; app: string } | null } | { event: 'notification'; payload: Record<string, unknown> } | { event: 'project-update'; payload: Record<string, unknown> } | {
  event: 'important-event'
  payload: {
    type: 'add' | 'remove'
    content_type: 'debug' | 'info' | 'warning' | 'error'
    content_title: string
    content_text: string
    content_actions: unknown[]
  }
} | {
  event: 'payment-update'
  payload: {
    payment_id: number
    provider: string
    status: 'pending' | 'success' | 'error' | 'cancel'
    tx_hash?: string | null
    confirmations?: number | null
    required_confirmations?: number | null
    amount_units?: string | null
    amount_decimal?: string | null
  }
}

export type ProjectMember = {
  user_id: number
  project_id: number
  name: string
  fename: string
  photo_50?: string | null
  type: 0 | 1
  external_id: string
  access_type: 0 | 1 | 2
}

export type Repeat = { every: 'day' | 'week' | 'month'; n: number; days?: number[]; until?: number; count?: number }

export type Restream = {
  id: number
  status: string
  channel_id?: number
  name?: string
  type?: string
  state?: 'idle' | 'connecting' | 'publishing' | 'live' | 'degraded' | 'backoff' | 'rejected' | 'stopped'
  since?: string
  reason?: string | null
  words?: string | null
  attempt?: number
  next_retry?: string | null
  reconnects?: number
  bytes?: number
  queued?: number
  dropped?: number
  smaller?: boolean
  date_live?: string | null
  url?: string | null
  viewers?: number | null
  seen?: {
    state: 'seen' | 'not_seen' | 'ended_there' | 'unknown'
    since: string | null
    checked: string | null
    words?: string
  }
}

export type RestreamPlan = {
  plan_restream_id: number
  title: string
  active: boolean
  count_channel_min: number | null
  count_channel_max: number | null
  type: 'free' | 'paid_fix' | 'paid_flex' | 'custom'
  price_usd: number | null
  price_rub: number | null
  bitrate_max: number | null
  bitrate_min: number | null
  resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K'
  fps: '30' | '60'
  create_projects: boolean
  chat: boolean
  video: boolean
  video_storage: number | null
  change_subject: boolean
  background_chat: boolean
  dedicated_server: boolean
  personal_manager: number | null
  pull_link_limit: number
  index: number
  support_custom_channel: boolean
  discount: Discount
}

export type RestreamSlot = {
  id?: number
  channel_max?: number | null
  bitrate_max?: number | null
  support_custom_channel?: boolean | null
  custom_video?: number | null
  date_end?: string | null
  date_start?: string | null
}

export type RestreamSlots = { before?: RestreamSlot | null; current?: RestreamSlot | null; next?: RestreamSlot | null }

export type ScheduledTitle = { channel_id: number; title: string }

export type ServerLimits = { channels: number; storage: number; transcoders: number }

export type ServerUrl = { mask: string; value: string }

export type StorageInfo = {
  plan2user: {
    plan_storage2user_id: number
    plan_storage_id: number
    size: number
    money_flow_uuid: string
    date_end: string | null
    date_start: string | null
    date_create: string | null
    period: 'month' | 'quarter' | 'year' | null
    period_uuid: string
    status: string
    prolongation: 0 | 1
  }
  data: StoragePlan
}

export type StoragePlan = {
  plan_storage_id: number
  title: string
  min: number
  max: number
  step: number
  price_usd: number | null
  price_rub: number | null
  active: boolean
  discount: Discount
}

export type StorageSlot = {
  id: number
  title: string
  date_end: string | null
  date_start?: string
  prolongation: 0 | 1
  size: number
  period: 'month' | 'quarter' | 'year' | null
}

export type StorageSlots = { before?: StorageSlot | null; current?: StorageSlot | null; next?: StorageSlot | null }

export type StreamInfo = {
  title: string
  description?: string
  lang?: string
  tags?: string[]
  category?: { id: string; name: string; secondary?: { id: string; name: string }; image?: string }
  playlist?: { id: string }
  privacyVideo?: string
  privacyComments?: string
  latency?: string
  audience?: string
  image?: string
  wall?: boolean
  domain?: string
  disableAutoEnd?: boolean
}

export type Sum = { currency: 'usd' | 'rub'; amount: number }

export type TrackChoice = {
  video: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | 'main' | 'landscape' | 'portrait'
  audio: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | 'main' | 'silent'
  missing: 'wait' | 'main'
}

export type TranscodingInfo = {
  plan2user: {
    plan_transcoding2user_id: number
    count: number
    date_end: string | null
    date_start: string | null
    date_create: string | null
    period: 'month' | 'quarter' | 'year' | null
    period_uuid: string
    status: string
    prolongation: 0 | 1
  }
  data: TranscodingPlan
}

export type TranscodingPlan = {
  plan_transcoding_id: number
  title: string
  type: 'free' | 'paid_month' | 'paid_minute' | 'custom'
  price_usd: number | null
  price_rub: number | null
  resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K' | null
  fps: '30' | '60'
  weight: number
  active: boolean
  index: number
  space: number
  discount: Discount
}

export type TranscodingSlot = {
  id: number
  title: string
  date_end: string | null
  date_start?: string
  prolongation: 0 | 1
  count: number
  resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K' | null
  fps: '30' | '60'
}

export type TranscodingSlots = { before?: TranscodingSlot | null; current?: TranscodingSlot | null; next?: TranscodingSlot | null }

export type Verdict = {
  level: 'unknown' | 'good' | 'warning' | 'problem'
  reasons: Array<{
    kind: 'lost' | 'held' | 'bitrate_refused' | 'bitrate_high' | 'channels_down' | 'channels_some' | 'not_seen' | 'no_video' | 'no_audio' | 'black' | 'silent' | 'keyframes' | 'bitrate_low' | 'fps_low' | 'fps_uneven' | 'audio_low'
    level: 'warning' | 'problem'
    value: number | null
    limit: number | null
  }>
}

export type WidgetSettings = {
  bg?: string
  text?: string
  opacity?: number
  size?: number
  channels_size?: number
  test?: boolean
  channels?: boolean
  channels_layout?: 'row' | 'column'
  total?: boolean
  icon?: boolean
  title?: string
  until?: string
  timer?: boolean
}

/** Input and output of each operation, by its id. */
export interface Operations {
  /**
   * API tokens of the signed-in person. `GET /method/account/api-tokens`, no API token.
   * - project: null: all projects of the person
   * - hint: last four signs of the token
   * - date_use: last use, to five minutes; null: unused
   * - address: network of the last use, without the part that identifies a household
   * - program: `User-Agent` of the last use
   */
  'account.api-tokens.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        id: number
        name: string
        scopes: string[]
        project: { id: number; name: string } | null
        hint: string
        date_create: string
        date_end: string
        date_use: string | null
        address: string
        program: string
      }>
    }
  }
  /**
   * Create an API token. `POST /method/account/api-tokens`, no API token.
   * - project_id: left out: all projects of the person
   * - days: lifetime
   * - token: `rdk_…`, shown once
   */
  'account.api-tokens.create': {
    input: {
      name: string
      scopes: Array<'profile:read' | 'profile:write' | 'project:read' | 'project:write' | 'channels:read' | 'channels:write' | 'broadcasts:read' | 'broadcasts:write' | 'chat:read' | 'chat:write' | 'billing:read' | 'billing:write' | 'operator:read' | 'operator:write' | 'control'>
      project_id?: number | undefined
      days?: number | undefined
    }
    output: {
      id: number
      name: string
      scopes: string[]
      project: { id: number; name: string } | null
      hint: string
      date_create: string
      date_end: string
      date_use: string | null
      address: string
      program: string
      token: string
    }
  }
  /**
   * Revoke an API token. `POST /method/account/api-tokens/revoke`, no API token.
   * - token_id: open realtime connections end within a second
   */
  'account.api-tokens.revoke': {
    input: { token_id: number }
    output: { success: boolean }
  }
  /**
   * Apps that the signed-in person develops. `GET /method/account/apps`, no API token.
   * - is_public: without a secret, as on a desktop or a phone
   * - grants: connections of people and projects
   * - picture: URL; empty without a picture
   */
  'account.apps.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        id: number
        client_id: string
        is_public: boolean
        name: string
        website: string
        picture: string
        redirect_uris: string[]
        scopes: string[]
        date_create: string
        grants: number
      }>
    }
  }
  /**
   * Register an app. `POST /method/account/apps`, no API token.
   * - website: shown in the consent
   * - redirect_uris: exact addresses: https, loopback, or a scheme of the app (`com.example.app:/back`)
   * - scopes: most that the app may ask for; also what it asks for when a request names none
   * - client_secret: shown once; null for a public app
   */
  'account.apps.create': {
    input: {
      name: string
      website: string
      redirect_uris: string[]
      scopes: Array<'profile:read' | 'profile:write' | 'project:read' | 'project:write' | 'channels:read' | 'channels:write' | 'broadcasts:read' | 'broadcasts:write' | 'chat:read' | 'chat:write' | 'billing:read' | 'billing:write' | 'control'>
      is_public?: boolean | undefined
    }
    output: {
      id: number
      client_id: string
      is_public: boolean
      name: string
      website: string
      picture: string
      redirect_uris: string[]
      scopes: string[]
      date_create: string
      grants: number
      client_secret: string | null
    }
  }
  /**
   * Change an app. `POST /method/account/apps/update`, no API token.
   * - website: shown in the consent
   * - redirect_uris: exact addresses: https, loopback, or a scheme of the app (`com.example.app:/back`)
   * - scopes: existing connections keep the scopes that were granted
   */
  'account.apps.update': {
    input: {
      app_id: number
      name: string
      website: string
      redirect_uris: string[]
      scopes: Array<'profile:read' | 'profile:write' | 'project:read' | 'project:write' | 'channels:read' | 'channels:write' | 'broadcasts:read' | 'broadcasts:write' | 'chat:read' | 'chat:write' | 'billing:read' | 'billing:write' | 'control'>
    }
    output: { success: boolean }
  }
  /**
   * Change the picture of an app. `POST /method/account/apps/picture`, no API token.
   * - picture: JPEG or PNG, at most 2 MB; shown in the consent and in lists of apps
   */
  'account.apps.picture': {
    input: { app_id: number; picture: Blob }
    output: { picture: string }
  }
  /**
   * Replace the secret of an app. `POST /method/account/apps/secret`, no API token.
   * - client_secret: shown once; the old one ends immediately
   */
  'account.apps.secret': {
    input: { app_id: number }
    output: { client_secret: string }
  }
  /**
   * Delete an app. `POST /method/account/apps/remove`, no API token.
   * - app_id: all its connections end
   */
  'account.apps.remove': {
    input: { app_id: number }
    output: { success: boolean }
  }
  /**
   * Apps that the signed-in person connected. `GET /method/account/apps/connected`, no API token.
   */
  'account.apps.connected': {
    input: Record<string, never>
    output: { results: ConnectedApp[] }
  }
  /**
   * Disconnect an app. `POST /method/account/apps/disconnect`, no API token.
   * - grant_id: its tokens and open realtime connections end within a second
   */
  'account.apps.disconnect': {
    input: { grant_id: number }
    output: { success: boolean }
  }
  /**
   * Get url for start oauth. `GET /method/auth/redirect-url`, no API token.
   * - redirect: where to return with `code` and `state`; an origin this service serves or is configured to trust
   * - state: decided: random value of the browser that begins; the exchange must show it again. Left out, a cookie takes its place
   * - refId: ID of the inviter, or the code of a link that allows a new account
   */
  'account.auth.redirectUrl': {
    input: {
      provider: 'local' | 'google' | 'vk' | 'vk-id' | 'telegram'
      app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined
      redirect?: string | undefined
      refId?: string | undefined
      country?: string | undefined
      state?: string | undefined
    }
    output: { url: string }
  }
  /**
   * Code exchange. `POST /method/auth/app/exchange`, no API token.
   * - state: decided: required when the sign-in began with one
   */
  'account.auth.exchange': {
    input: {
      code: string
      userAgent?: string | undefined
      fingerprint?: string | undefined
      app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined
      state?: string | undefined
    }
    output: { accessToken: string; refreshToken: string }
  }
  /**
   * Get code for auth. `GET /method/auth/app/code`, no API token.
   */
  'account.auth.appCode': {
    input: { app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined }
    output: { code: string }
  }
  /**
   * Update access token. `POST /method/auth/refresh-access`, no API token.
   */
  'account.auth.refreshAccess': {
    input: { app: 'site' | 'admin' | 'mobile' | 'desktop'; refresh: string; fingerprint?: string | undefined }
    output: { accessToken: string; refreshToken: string }
  }
  /**
   * Get basic data for auth user. `GET /method/auth/me`, scope `profile:read`.
   */
  'account.auth.me': {
    input: Record<string, never>
    output: {
      id: number
      firstName: string
      lastName: string
      email?: string | null
      photo?: string | null
      language: string
      lastProjectId?: number | null
      billing?: 'off' | 'plans' | null
      operator?: boolean | null
    }
  }
  /**
   * Guest request of auth. `GET /method/auth/guest`, no API token.
   * - known: decided: whether an inviter has this ID
   */
  'account.auth.guest': {
    input: { refId: string }
    output: { refId: string; known: boolean }
  }
  /**
   * Logout. `POST /method/auth/logout`, no API token.
   */
  'account.auth.logout': {
    input: { app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined; refresh: string }
    output: { success: boolean }
  }
  /**
   * Connected social account. `GET /method/auth/connect`, no API token.
   */
  'account.auth.connect': {
    input: {
      provider: 'local' | 'google' | 'vk' | 'vk-id' | 'telegram'
      app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined
      redirect?: string | undefined
    }
    output: { url: string }
  }
  /**
   * CallBack for connect social. `GET /method/auth/connect/callback`, no API token.
   * - message: from the callback URL; valid once, in the browser that started
   */
  'account.auth.connectCallback': {
    input: { message: string }
    output: { success: boolean }
  }
  /**
   * Connect telegram in account. `POST /method/auth/connect-telegram`, no API token.
   * - message: decided: as in connect/callback; left out, the one that the service left in a cookie of this browser
   */
  'account.auth.connectTelegram': {
    input: { message?: string | undefined }
    output: { success: boolean }
  }
  /**
   * Disconnected social account. `GET /method/auth/disconnect`, no API token.
   */
  'account.auth.disconnect': {
    input: { social_id: number }
    output: { success: boolean }
  }
  /**
   * Auth telegram. `GET /method/auth/auth-telegram`, no API token.
   * - auth_date: Unix seconds
   * - state: decided: as in redirect-url; left out, the sign-in ends with `AuthorizationExpired`
   */
  'account.auth.authTelegram': {
    input: {
      auth_date: number
      id: number
      first_name: string
      hash: string
      last_name?: string | undefined
      username?: string | undefined
      photo_url?: string | undefined
      app?: 'site' | 'admin' | 'mobile' | 'desktop' | undefined
      redirect?: string | undefined
      refId?: string | undefined
      country?: string | undefined
      state?: string | undefined
      language_code?: string | undefined
      is_premium?: boolean | undefined
      added_to_attachment_menu?: boolean | undefined
    }
    output: { location: string }
  }
  /**
   * Get the options of the sign-in page. `POST /method/auth/GetClientConfiguration`, no API token.
   */
  'account.auth.clientConfiguration': {
    input: Record<string, never>
    output: { providers: Array<'local' | 'google' | 'vk' | 'vk-id' | 'telegram'>; signUp: boolean }
  }
  /**
   * Internal request of auth old vk. `GET /method/auth/callback/vk`, no API token.
   * - iss: issuer of the response (RFC 9207)
   * - device_id: VK ID only; VK ID requires it again
   */
  'account.auth.callbackVk': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      iss?: string | undefined
      device_id?: string | undefined
    }
    output: { location: string }
  }
  /**
   * Internal request of auth new vk. `GET /method/auth/callback/vk-id`, no API token.
   * - iss: issuer of the response (RFC 9207)
   * - device_id: VK ID only; VK ID requires it again
   */
  'account.auth.callbackVkId': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      iss?: string | undefined
      device_id?: string | undefined
    }
    output: { location: string }
  }
  /**
   * Internal request of auth google. `GET /method/auth/callback/google`, no API token.
   * - iss: issuer of the response (RFC 9207)
   * - device_id: VK ID only; VK ID requires it again
   */
  'account.auth.callbackGoogle': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      iss?: string | undefined
      device_id?: string | undefined
    }
    output: { location: string }
  }
  /**
   * Get account profile. `GET /method/account/profile`, scope `profile:read`.
   * - balance: minor units of `currency`, the sum of all balance types of the project
   * - referralsIncome: decimal string
   */
  'account.profile.get': {
    input: { project_id?: number | undefined }
    output: {
      id: number
      type: number
      firstName: string
      lastName: string
      photo?: string | null
      refId?: string | null
      partners: number
      referralsIncome: string | number
      scope: number
      currency: 'usd' | 'rub'
      countrie_id: number
      language: 'en' | 'ru' | 'cn'
      balance: number | string
      lastProjectId?: number | null
    }
  }
  /**
   * Update account profile. `POST /method/account/profile`, scope `profile:write`.
   * - avatar: JPEG or PNG, at most 2 MB
   */
  'account.profile.update': {
    input: { first_name: string; last_name: string; avatar?: Blob | undefined }
    output: { success: boolean }
  }
  /**
   * Second factors of the signed-in person. `GET /method/account/security`, no API token.
   */
  'account.security.get': {
    input: Record<string, never>
    output: {
      passkeys: Array<{ id: number; name: string; host: string; date_create: string; date_use?: string | null }>
      authenticator?: string | null
      recovery_codes: number
      browsers: Array<{
        id: number
        browser: string
        system: string
        kind: 'computer' | 'phone' | 'tablet' | 'other'
        address: string
        date_create: string
        date_use: string
        date_expire: string
      }>
    }
  }
  /**
   * Begin to set up an authenticator app. `POST /method/account/security/authenticator`, no API token.
   * - secret: base 32, to type by hand
   * - uri: for a QR code
   */
  'account.security.beginAuthenticator': {
    input: Record<string, never>
    output: { secret: string; uri: string }
  }
  /**
   * Finish to set up an authenticator app. `POST /method/account/security/authenticator/confirm`, no API token.
   * - code: six digits that the app shows
   * - recovery_codes: shown once; empty where the account has some already
   */
  'account.security.confirmAuthenticator': {
    input: { code: string }
    output: { recovery_codes: string[] }
  }
  /**
   * Remove the authenticator app. `POST /method/account/security/authenticator/remove`, no API token.
   */
  'account.security.removeAuthenticator': {
    input: Record<string, never>
    output: { success: boolean }
  }
  /**
   * Begin to add a passkey. `POST /method/account/security/passkeys/begin`, no API token.
   */
  'account.security.beginPasskey': {
    input: Record<string, never>
    output: { options: Record<string, unknown> }
  }
  /**
   * Add a passkey. `POST /method/account/security/passkeys`, no API token.
   * - recovery_codes: shown once; empty where the account has some already
   */
  'account.security.addPasskey': {
    input: {
      name: string
      response: {
        id: string
        rawId: string
        type: 'public-key'
        clientExtensionResults?: Record<string, never> | undefined
        response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
      }
    }
    output: { recovery_codes: string[] }
  }
  /**
   * Remove a passkey. `POST /method/account/security/passkeys/remove`, no API token.
   */
  'account.security.removePasskey': {
    input: { passkey_id: number }
    output: { success: boolean }
  }
  /**
   * Begin to confirm the sign-in by a passkey. `POST /method/account/security/passkeys/ask`, no API token.
   */
  'account.security.askPasskey': {
    input: Record<string, never>
    output: { options: Record<string, unknown> }
  }
  /**
   * Replace the recovery codes. `POST /method/account/security/recovery-codes`, no API token.
   * - recovery_codes: shown once; the former ones end
   */
  'account.security.renewCodes': {
    input: Record<string, never>
    output: { recovery_codes: string[] }
  }
  /**
   * Forget a browser. `POST /method/account/security/browsers/remove`, no API token.
   */
  'account.security.forgetBrowser': {
    input: { browser_id: number }
    output: { success: boolean }
  }
  /**
   * Sessions of the signed-in person. `GET /method/account/sessions`, no API token.
   */
  'account.sessions.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        id: number
        current: boolean
        app: 'site' | 'admin' | 'mobile' | 'desktop'
        browser: string
        system: string
        kind: 'computer' | 'phone' | 'tablet' | 'other'
        address: string
        date_create: string
        date_seen: string
        date_end: string
      }>
    }
  }
  /**
   * End one session. `POST /method/account/sessions/close`, no API token.
   */
  'account.sessions.close': {
    input: { session_id: number }
    output: { success: boolean }
  }
  /**
   * End all other sessions. `POST /method/account/sessions/close-others`, no API token.
   * - closed: how many there were
   */
  'account.sessions.closeOthers': {
    input: Record<string, never>
    output: { success: boolean; closed: number }
  }
  /**
   * Change the password. `POST /method/account/password`, no API token.
   * - old_password: empty where the account has none yet
   */
  'account.settings.password': {
    input: { old_password?: string | undefined; new_password: string }
    output: { success: boolean }
  }
  /**
   * Change the e-mail. `POST /method/account/email`, no API token.
   * - password: empty where the account has none yet
   * - confirm: takes effect when the link in the e-mail is opened
   */
  'account.settings.email': {
    input: { email: string; password?: string | undefined }
    output: { success: boolean; confirm: boolean }
  }
  /**
   * Confirm the sign-in. `POST /method/account/confirm`, no API token.
   * - password: makes the session count as a new sign-in
   * - code: of the authenticator app, or a recovery code; takes the place of the password where there is a second factor
   * - passkey: takes the place of the code
   */
  'account.settings.confirm': {
    input: {
      password?: string | undefined
      code?: string | undefined
      passkey?: {
        id: string
        rawId: string
        type: 'public-key'
        clientExtensionResults?: Record<string, never> | undefined
        response: {
          clientDataJSON: string
          authenticatorData: string
          signature: string
          userHandle?: string | undefined
        }
      } | undefined
    }
    output: { success: boolean }
  }
  /**
   * Set the language. `POST /method/account/language`, scope `profile:write`.
   * - language: the one that the account gets
   */
  'account.settings.language': {
    input: Record<string, never>
    output: { success: boolean }
  }
  /**
   * Social list for user. `GET /method/socials/list`, scope `profile:read`.
   */
  'account.socials.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        id: number
        provider: 'google' | 'vk' | 'telegram'
        name: string
        photo?: string | null
        date_create: string
        last: 0 | 1
      }>
      available: Array<'local' | 'google' | 'vk' | 'vk-id' | 'telegram'>
      password: boolean
    }
  }
  /**
   * Get user profile. `GET /method/users/profile`, scope `profile:read`.
   * - balance: minor units of `currency`, the sum of all balance types of the project
   * - referralsIncome: decimal string
   */
  'account.usersProfile.get': {
    input: { project_id?: number | undefined }
    output: {
      id: number
      type: number
      firstName: string
      lastName: string
      photo?: string | null
      refId?: string | null
      partners: number
      referralsIncome: string | number
      scope: number
      currency: 'usd' | 'rub'
      countrie_id: number
      language: 'en' | 'ru' | 'cn'
      balance: number | string
      lastProjectId?: number | null
    }
  }
  /**
   * Update profile. `POST /method/users/profile`, scope `profile:write`.
   * - avatar: JPEG or PNG, at most 2 MB
   */
  'account.usersProfile.update': {
    input: { first_name: string; last_name: string; avatar?: Blob | undefined }
    output: { success: boolean }
  }
  /**
   * Events for stream. `GET /method/analytics/stream/events`, scope `broadcasts:read`.
   * - level: this level and no other
   * - server: name or address of a relay node
   * - date_from: from this moment on; a day is its midnight, UTC
   * - date_to: before this moment
   * - cursor_id: `next_cursor_id` of the page before; new events move nothing then
   * - cursor_datetime: `next_cursor_datetime` of the page before; left out: looked up by `cursor_id`
   */
  'analytics.analytics.events': {
    input: {
      project_id: number
      stream_id: number
      channels?: number[] | undefined
      level?: 'debug' | 'info' | 'warning' | 'error' | undefined
      platform?: string | undefined
      app?: 'live' | 'scheduler' | 'transcoder' | undefined
      server?: string | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      offset?: number | undefined
      limit?: number | undefined
      sort_by_date?: 'asc' | 'desc' | undefined
      cursor_id?: number | undefined
      cursor_datetime?: string | undefined
    }
    output: EventPage
  }
  /**
   * Bitrate for stream. `GET /method/analytics/stream/graph/bitrate`, scope `broadcasts:read`.
   * - data: kbps, averaged over a step
   * - labels: Unix seconds of the start of each step
   */
  'analytics.analytics.bitrate': {
    input: { project_id: number; stream_id: number }
    output: Graph
  }
  /**
   * Viewers for stream. `GET /method/analytics/stream/graph/viewers`, scope `broadcasts:read`.
   * - data: viewers on all platforms that report them
   * - labels: Unix seconds of the start of each step
   */
  'analytics.analytics.viewers': {
    input: { project_id: number; stream_id: number }
    output: Graph
  }
  /**
   * Get messages of a broadcast. `GET /method/analytics/broadcast/messages`, scope `broadcasts:read`.
   */
  'analytics.analytics.messages': {
    input: { project_id: number; broadcast_id: number }
    output: {
      items: Array<{
        timestamp: string
        entities: Array<Record<string, unknown>>
        restream_id: number
        broadcast_id: number
        platform: string
        error?: string
        action: 'delivered' | 'got' | 'create'
      }>
    }
  }
  /**
   * Compare broadcasts. `GET /method/analytics/broadcasts`, scope `broadcasts:read`.
   * - date_from: began at this moment or after it
   * - date_to: began before this moment
   * - bitrate: kbps over the broadcast; null: not measured, or no longer kept
   * - viewers: on all platforms that report them; null: none did
   * - warnings: events of this level
   * - errors: events of this level
   */
  'analytics.analytics.broadcasts': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        created_at: string
        finish_at: string | null
        away?: number
        reconnects: number
        bitrate: { avg: number; min: number; max: number } | null
        viewers: { avg: number; min: number; max: number } | null
        channels: number
        platforms: string[]
        warnings: number
        errors: number
      }>
    }
  }
  /**
   * List saved payment methods. `GET /method/payment-method/list`, scope `billing:read`.
   * - title: for example `Visa •••• 4242`
   * - expires: `YYYY-MM`
   * - is_default: renewals charge it
   */
  'billing.methods.list': {
    input: { project_id: number }
    output: {
      results: Array<{ method_id: number; pay_name: string; title: string; expires: string | null; is_default: boolean }>
    }
  }
  /**
   * Choose the default payment method. `POST /method/payment-method/default`, scope `billing:write`.
   */
  'billing.methods.setDefault': {
    input: { project_id: number; method_id: number }
    output: { success: boolean }
  }
  /**
   * Remove a saved payment method. `POST /method/payment-method/delete`, scope `billing:write`.
   */
  'billing.methods.remove': {
    input: { project_id: number; method_id: number }
    output: { success: boolean }
  }
  /**
   * Transaction list for frontend. `GET /method/money_flow/list`, scope `billing:read`.
   * - date_from: from this moment on
   * - date_to: before this moment
   * - type: names or places in the published list, separated by commas: payment,referral_profit
   * - balance_type: 1 bonus, 2 payment, 3 profit, 4 debt, separated by commas
   * - amount: minor units; negative when money leaves the balance
   * - title: the purchase, or the other side of the movement
   * - balance: minor units of this balance type before the movement; a debt is negative
   */
  'billing.money-flow.list': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      type?: string | undefined
      balance_type?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        money_flow_id: number
        amount: number
        currency: 'usd' | 'rub' | null
        date: string
        type: 'registration_bonus' | 'plan_restream_buy' | 'plan_transcoding_buy' | 'plan_storage_buy' | 'channel_story_buy' | 'channel_shop_sell' | 'referral_profit' | 'payment' | 'payment_cancel' | 'payout' | 'payout_cancel' | 'refund' | 'conversion' | 'withdrawal' | 'transferred_of_old_site' | 'accrued_admin' | 'reduced_admin' | 'promo_topup_1' | 'promo_topup_2' | 'promo_create_plan_restream_1' | 'promo_create_plan_restream_2' | 'promo_create_plan_transcoding_1' | 'promo_create_plan_storage_1' | 'transfer'
        balance: number
        details: { title: string; date_end: string } | null
        title: string | null
        balance_type: 1 | 2 | 3 | 4
        transaction_id: number
        payment_id: number | null
        payment_status: 'pending' | 'success' | 'error' | 'cancel' | null
        payout_id: number | null
        user_: { user_id: number; name: string; fename: string } | null
      }>
    }
  }
  /**
   * Get papers of a payment. `GET /method/payment/paper`, scope `billing:read`.
   * - number: without gaps in its kind and year (UTC)
   * - url: printable page in the language of the call, from the root of the service; its ticket opens this paper only
   * - pdf_url: the same as PDF; in English where the language is Chinese
   * - expires_at: end of the tickets in both addresses
   * - amount: minor units
   */
  'billing.papers.list': {
    input: { project_id: number; payment_id: number }
    output: {
      results: Array<{
        paper_id: number
        kind: 'receipt' | 'invoice' | 'credit_note'
        number: string
        date: string
        amount: number
        currency: 'usd' | 'rub'
        url: string
        pdf_url: string
      }>
      expires_at: string
    }
  }
  /**
   * Get archives of papers by month. `GET /method/payment/paper/archives`, scope `billing:read`.
   * - results: newest month first
   * - month: year and month of issue (UTC), for example 2026-11
   * - part: from 1; a file has at most 2,000 papers, in order of issue
   * - papers: number of papers in the file, which has a PDF of each, and `papers.csv` with their facts
   * - url: ZIP file, from the root of the service; its ticket opens this file only
   * - expires_at: end of the tickets in the addresses
   */
  'billing.papers.archives': {
    input: { project_id: number }
    output: PaperArchives
  }
  /**
   * Get pay settings for profile (v3). `GET /method/pay-setting`, scope `billing:read`.
   * - countrie_id: ISO 3166-1 numeric
   * - result: null before the first save
   * - pay_system_id: 0: no preference
   */
  'billing.pay-settings.get': {
    input: { project_id: number }
    output: {
      result: {
        project_id: number
        currency: 'usd' | 'rub'
        countrie_id: number
        organization_id: number | null
        pay_system_id: number
        email: string
        street?: string | null
        house_number?: string | null
        zip?: string | null
        city?: string | null
        state?: string | null
        company_name?: string | null
        tax_id?: string | null
        description?: string | null
      } | null
    }
  }
  /**
   * Set pay settings for profile (v3). `POST /method/pay-setting`, scope `billing:write`.
   * - countrie_id: ISO 3166-1 numeric; 643 (Russia) makes the currency `rub`, every other country `usd`
   * - pay_system_id: `pay_system_id` of pay-system/list; 0: no preference
   * - street: street, house_number, zip, city and state are required outside Russia
   * - tax_id: decided: printed on papers
   */
  'billing.pay-settings.set': {
    input: {
      project_id: number
      countrie_id: number
      organization_id?: number | null | undefined
      pay_system_id: number
      email: string
      street?: string | undefined
      house_number?: string | undefined
      zip?: string | undefined
      city?: string | undefined
      state?: string | undefined
      company_name?: string | undefined
      tax_id?: string | undefined
      description?: string | null | undefined
    }
    output: { success: boolean }
  }
  /**
   * Check country after update user. `GET /method/pay-setting/check-country`, scope `billing:read`.
   * - confirm: the balance would be exchanged, so that the owner should confirm it
   * - exchange: units of the new currency for one of the old; 1 when the currency stays
   * - balance: minor units of `currency`, after the exchange
   * - country_id: ISO 3166-1 numeric
   */
  'billing.pay-settings.checkCountry': {
    input: { project_id: number; country_id: number }
    output: {
      confirm: boolean
      exchange: number
      currency: 'usd' | 'rub'
      country: { id: number; code: string; name: string }
      balance: { bonus: number; payment: number; profit: number }
    }
  }
  /**
   * Load available pay systems. `GET /method/pay-system/list`, any token.
   * - min_amount: minor units
   * - max_amount: minor units
   * - recurrent: 1: a saved method can be charged for renewals
   * - pay_name: the provider, as `pay_name` of a payment
   */
  'billing.pay-systems.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        pay_system_id: number
        name: string
        min_amount: number
        max_amount: number
        currency: 'usd' | 'rub'
        annual: 0 | 1
        topup: 0 | 1
        recurrent: 0 | 1
        description: string
        pay_name: string
      }>
    }
  }
  /**
   * create pay-system challenge. `GET /method/pay-system/payoneer/create`, scope `billing:write`.
   * - redirect_url: where the customer pays, whichever the payment's provider is
   */
  'billing.pay-systems.payoneer': {
    input: { payment_id: number }
    output: { redirect_url: string }
  }
  /**
   * create pay-system item. `GET /method/pay-system/unitpay/create`, scope `billing:write`.
   * - redirect_url: where the customer pays, whichever the payment's provider is
   */
  'billing.pay-systems.unitpay': {
    input: { payment_id: number }
    output: { redirect_url: string }
  }
  /**
   * Create pay-system item of T-Bank. `GET /method/pay-system/t-bank/create`, scope `billing:write`.
   * - redirect_url: where the customer pays, whichever the payment's provider is
   */
  'billing.pay-systems.tBank': {
    input: { payment_id: number }
    output: { redirect_url: string }
  }
  /**
   * Create pay-system item of any provider. `GET /method/pay-system/create`, scope `billing:write`.
   * - redirect_url: where the customer pays, whichever the payment's provider is
   */
  'billing.pay-systems.create': {
    input: { payment_id: number }
    output: { redirect_url: string }
  }
  /**
   * get payment status. `GET /method/payment`, scope `billing:read`.
   * - payId: `payment_id`
   * - amount: minor units
   * - reason: code of the provider for `error`, or `expired`; null: none
   * - review: another amount or currency arrived or was taken back: the operator decides
   * - purchase: outcome of the purchase of a plan; null: a top-up, or not paid yet
   * - credited: amount that arrived and was booked, minor units; 0: none
   * - debt_paid: part of it that paid a debt of the project, minor units
   * - refunded: returned to the customer, minor units
   * - disputed: withdrawn by a chargeback, minor units
   * - instructions: how to pay an invoice; null for other providers
   */
  'billing.payments.get': {
    input: { project_id: number; payId: number }
    output: Payment
  }
  /**
   * Create payment item. `POST /method/payment`, scope `billing:write`.
   * - type: `top_up` is read as `topup`
   * - amount: minor units; for a plan the part of the quote that the balance does not cover
   * - plan_restream_bitrate: kbps
   * - plan_storage_value: GB
   * - promo_code: decided: a code that lowers the price of the plan, used when the payment arrives
   * - pay_system_id: decided: a row of `pay-system/list`; default: the first one in the currency of the project
   * - method_id: decided: a saved method that is charged immediately
   * - save: decided: 1 saves the method for renewals
   * - idempotency_key: decided: the same key creates one payment, whatever the number of calls
   * - pay_name: the provider
   */
  'billing.payments.create': {
    input: {
      project_id: number
      type: 'topup' | 'restream' | 'transcoding' | 'storage' | 'top_up'
      amount: number
      plan_period?: 'month' | 'quarter' | 'year' | undefined
      plan_restream_id?: number | undefined
      plan_restream_count_channel?: number | undefined
      plan_restream_bitrate?: number | undefined
      plan_transcoding_id?: number | undefined
      plan_transcoding_count_flow?: number | undefined
      plan_storage_id?: number | undefined
      plan_storage_value?: number | undefined
      promo_code?: string | undefined
      pay_system_id?: number | undefined
      method_id?: number | undefined
      save?: 0 | 1 | undefined
      idempotency_key?: string | undefined
    }
    output: { payment_id: number; pay_name: string; pay_id?: string; pay_key?: string }
  }
  /**
   * payment list. `GET /method/payment/list`, scope `billing:read`.
   * - project_id: decided: default is the project that the user selected last
   * - amount: minor units
   * - reason: code of the provider for `error`, or `expired`; null: none
   * - review: another amount or currency arrived or was taken back: the operator decides
   * - purchase: outcome of the purchase of a plan; null: a top-up, or not paid yet
   * - credited: amount that arrived and was booked, minor units; 0: none
   * - debt_paid: part of it that paid a debt of the project, minor units
   * - refunded: returned to the customer, minor units
   * - disputed: withdrawn by a chargeback, minor units
   * - instructions: how to pay an invoice; null for other providers
   */
  'billing.payments.list': {
    input: { page?: number | undefined; pageSize?: number | undefined; project_id?: number | undefined }
    output: { results: Payment[]; page: number; pageSize: number; total: number }
  }
  /**
   * Cancel payment. `POST /method/payment/cancel`, scope `billing:write`.
   * - payment_id: a pending payment; one that was paid meanwhile is settled instead
   */
  'billing.payments.cancel': {
    input: { project_id: number; payment_id: number }
    output: { success: boolean }
  }
  /**
   * Get payout data for create. `GET /method/payout/prepare`, scope `billing:read`.
   * - commission: percent, or minor units where `commission_type` is fix
   * - min_amount: minor units
   */
  'billing.payouts.prepare': {
    input: { project_id: number }
    output: {
      results: Array<{
        payout_system_account_id: number
        payout_system_id: number
        description: string
        commission: number
        commission_type: 'percent' | 'fix'
        title: string
        active: boolean
        currency: 'usd' | 'rub'
        min_amount: number
        max_amount: number
      }>
    }
  }
  /**
   * Create payout. `POST /method/payout/create`, scope `billing:write`.
   * - amount: minor units that leave the earned balance; the recipient gets them less the commission
   * - wallet_value: account of the recipient; stored encrypted, shown masked
   * - idempotency_key: decided: the same key creates one payout, whatever the number of calls
   */
  'billing.payouts.create': {
    input: {
      project_id: number
      payout_system_account_id: number
      amount: number
      wallet_value: string
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * List payouts. `GET /method/payout/list`, scope `billing:read`.
   * - wallet: masked but for its last four characters
   */
  'billing.payouts.list': {
    input: { project_id: number; limit?: number | undefined; offset?: number | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        payout_id: number
        amount: number
        commission: number
        currency: 'usd' | 'rub'
        wallet: string
        status: 'waiting' | 'sent' | 'refused' | 'cancelled'
        reference: string | null
        reason: string | null
        date_create: string
        date_end: string | null
        title: string
      }>
    }
  }
  /**
   * Cancel payout. `POST /method/payout/cancel`, scope `billing:write`.
   */
  'billing.payouts.cancel': {
    input: { project_id: number; payout_id: number }
    output: { success: boolean }
  }
  /**
   * Total info. `GET /method/referrals/info`, scope `billing:read`.
   * - profit: minor units by currency
   * - members: users that signed up with the link
   * - percent: share of their payments
   * - link: null for a team project
   * - waiting: minor units by currency: earnings of the last 30 days, and those in another currency than the project
   */
  'billing.referrals.info': {
    input: { project_id: number }
    output: {
      profit: { usd: number; rub: number }
      members: number
      percent: number
      link: string | null
      waiting: { usd: number; rub: number }
    }
  }
  /**
   * Name the user that invited the caller. `POST /method/referrals/join`, scope `profile:write`.
   * - code: `refId` of the inviter; within 24 hours after sign-up, once
   */
  'billing.referrals.join': {
    input: { code: string }
    output: { success: boolean }
  }
  /**
   * List renewals of plans. `GET /method/renewal/list`, scope `billing:read`.
   * - enabled: switched by plan_restream, plan_transcoding and plan_storage/prolongation
   * - amount: minor units; null when the plan cannot be renewed
   * - reason: why the last try failed, or why there is no further one; null: no failure
   * - date_next: time of the next try; null: none
   * - method: title of the default payment method; null: none is saved
   * - from_balance: part of `amount` that the balance covers at present, after renewals before it
   * - missing: part that it lacks
   * - charge: amount that the payment method is charged: `missing`, or the minimum of the pay system; 0: nothing
   * - obstacle: why the next try will fail as things are; null: nothing is known
   */
  'billing.renewals.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        line: 'restream' | 'transcoding' | 'storage'
        title: string
        date_end: string
        enabled: boolean
        amount: number | null
        currency: 'usd' | 'rub'
        reason: string | null
        date_next: string | null
        method: string | null
        from_balance: number
        missing: number
        charge: number
        obstacle: 'DebtOpen' | 'no_method' | 'price_not_announced' | 'suspended' | null
      }>
    }
  }
  /**
   * Retry a renewal now. `POST /method/renewal/retry`, scope `billing:write`.
   */
  'billing.renewals.retry': {
    input: { project_id: number; line: 'restream' | 'transcoding' | 'storage' }
    output: { success: boolean }
  }
  /**
   * Transaction list for frontend. `GET /method/transactions/list`, scope `billing:read`.
   * - date_from: from this moment on
   * - date_to: before this moment
   * - code: ids or names of movement types, separated by commas
   * - sum: minor units as text, all balances together; negative when money leaves them
   * - referral_id: project whose payment earned a referral profit
   */
  'billing.transactions.list': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      code?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        user_id: number | null
        payout_id: number | null
        type: 'in' | 'out'
        sum: string
        description: string
        code: {
          id: number
          name: 'registration_bonus' | 'plan_restream_buy' | 'plan_transcoding_buy' | 'plan_storage_buy' | 'channel_story_buy' | 'channel_shop_sell' | 'referral_profit' | 'payment' | 'payment_cancel' | 'payout' | 'payout_cancel' | 'refund' | 'conversion' | 'withdrawal' | 'transferred_of_old_site' | 'accrued_admin' | 'reduced_admin' | 'promo_topup_1' | 'promo_topup_2' | 'promo_create_plan_restream_1' | 'promo_create_plan_restream_2' | 'promo_create_plan_transcoding_1' | 'promo_create_plan_storage_1' | 'transfer'
        }
        referral_id: number | null
        date: string
        paymentId: number | null
        payoutId: number | null
      }>
    }
  }
  /**
   * Move balance to another project. `POST /method/balance/move`, scope `billing:write`.
   * - to_project_id: the caller must also own this project
   * - amount: minor units: from the paid-in balance first, then from the earned one; each keeps its type
   * - idempotency_key: the same key moves once, whatever the number of calls
   */
  'billing.transfers.move': {
    input: { project_id: number; to_project_id: number; amount: number; idempotency_key?: string | undefined }
    output: { success: boolean }
  }
  /**
   * Get status of broadcast. `GET /method/broadcast/status`, scope `broadcasts:read`.
   * - status: `lost`: the encoder is disconnected, its channels are held for the hold time; `pause`: channels receive no media
   * - bitrate: kbps, average of the last five seconds; null until it is known, and while the encoder is disconnected
   * - verdict: decided: `good`, `warning` or `problem`, and its reasons, the worst first
   * - bitrate_max: decided: kbps that the tariff allows; null: no limit
   * - bitrate_state: decided: `high`: above the limit, the server will disconnect the encoder; `refused`: disconnected, and refused for a minute
   * - bitrate_judged: decided: kbps over the last ten seconds, the base of `bitrate_state`
   * - key_frame: seconds between keyframes
   * - paths: decided: paths of a bonded encoder, each with its percent of the packets
   * - stopped_broadcast_id: decided: the stopped broadcast whose encoder still sends; nothing is relayed
   */
  'broadcasts.broadcasts.status': {
    input: { project_id: number }
    output: BroadcastStatus
  }
  /**
   * Pause a broadcast. `POST /method/broadcast/pause`, scope `broadcasts:control`.
   */
  'broadcasts.broadcasts.pause': {
    input: { project_id: number; broadcast_id: number }
    output: { success: boolean }
  }
  /**
   * Go on with a paused broadcast. `POST /method/broadcast/play`, scope `broadcasts:control`.
   * - broadcast_id: decided: a stopped broadcast; its encoder is disconnected and can go on air again
   */
  'broadcasts.broadcasts.play': {
    input: { project_id: number; broadcast_id: number }
    output: { success: boolean }
  }
  /**
   * Stop a broadcast. `POST /method/broadcast/stop`, scope `broadcasts:control`.
   * - broadcast_id: decided: an encoder that keeps sending stays off air until it restarts the stream
   */
  'broadcasts.broadcasts.stop': {
    input: { project_id: number; broadcast_id: number }
    output: { success: boolean }
  }
  /**
   * Retry a channel now. `POST /method/broadcast/restreams/retry`, scope `broadcasts:control`.
   */
  'broadcasts.broadcasts.retry': {
    input: { project_id: number; broadcast_id: number; channel_id: number }
    output: { success: boolean }
  }
  /**
   * Get list of broadcasts. `GET /method/broadcast/list`, scope `broadcasts:read`.
   * - date_from: decided: began at this moment or after it
   * - date_to: decided: began before this moment
   * - platform: decided: went to a channel of this type
   * - viewers: maximum of concurrent viewers, on platforms that report them
   */
  'broadcasts.broadcasts.list': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      order?: 'asc' | 'desc' | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      platform?: string | undefined
    }
    output: { total: number; limit: number; offset: number; results: BroadcastRow[] }
  }
  /**
   * Get one broadcast. `GET /method/broadcast`, scope `broadcasts:read`.
   */
  'broadcasts.broadcasts.get': {
    input: { project_id: number; broadcast_id: number }
    output: Broadcast
  }
  /**
   * Get events of a broadcast. `GET /method/broadcast/events`, scope `broadcasts:read`.
   * - level: this level and no other
   * - server: name or address of a relay node
   * - date_from: from this moment on; a day is its midnight, UTC
   * - date_to: before this moment
   * - cursor_id: `next_cursor_id` of the page before; new events move nothing then
   * - cursor_datetime: `next_cursor_datetime` of the page before; left out: looked up by `cursor_id`
   */
  'broadcasts.broadcasts.events': {
    input: {
      project_id: number
      broadcast_id: number
      channels?: number[] | undefined
      level?: 'debug' | 'info' | 'warning' | 'error' | undefined
      platform?: string | undefined
      app?: 'live' | 'scheduler' | 'transcoder' | undefined
      server?: string | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      offset?: number | undefined
      limit?: number | undefined
      sort_by_date?: 'asc' | 'desc' | undefined
      cursor_id?: number | undefined
      cursor_datetime?: string | undefined
    }
    output: EventPage
  }
  /**
   * Get one event of a broadcast. `GET /method/broadcast/events/item`, scope `broadcasts:read`.
   * - date: `created_at` of the event; optional, a different value is refused
   */
  'broadcasts.broadcasts.eventItem': {
    input: { project_id: number; id: number; date?: string | undefined }
    output: BroadcastEvent
  }
  /**
   * Get graph of bitrate. `GET /method/broadcast/graph/bitrate`, scope `broadcasts:read`.
   * - data: kbps, averaged over a step
   * - labels: Unix seconds of the start of each step
   */
  'broadcasts.broadcasts.bitrate': {
    input: { project_id: number; broadcast_id: number }
    output: Graph
  }
  /**
   * Get graph of viewers. `GET /method/broadcast/graph/viewers`, scope `broadcasts:read`.
   * - data: viewers on all platforms that report them
   * - labels: Unix seconds of the start of each step
   */
  'broadcasts.broadcasts.viewers': {
    input: { project_id: number; broadcast_id: number }
    output: Graph
  }
  /**
   * Get restreams. `GET /method/broadcast/restreams`, scope `broadcasts:read`.
   * - viewer: left out: the platform does not report it
   * - viewers: as `viewer`, by its earlier name; null: the platform does not report it
   * - url: page of the stream at the platform
   * - project_id: left out: the project of `key`, else the project of the broadcast
   * - key: chat key of the project (`chat/key`); left out: an access token of a member is needed. The call of a widget repeats its token here
   */
  'broadcasts.broadcasts.restreams': {
    input: { broadcast_id: number; project_id?: number | undefined; key?: string | undefined }
    output: LiveRestreams
  }
  /**
   * Get restreams for the chat. `GET /method/broadcast/restreams-chat`, scope `broadcasts:read`.
   * - key: chat key of the project (`chat/key`)
   */
  'broadcasts.broadcasts.restreamsChat': {
    input: { broadcast_id: number; key: string }
    output: {
      results: Array<{
        restream_id: number
        channel_id: number
        name: string
        image: string
        platform: string
        viewers: number | null
      }>
    }
  }
  /**
   * Connect channel, long polling. `GET /method/broadcast/longpoll`, scope `broadcasts:read`.
   * - key: chat key of the project (`chat/key`)
   * - wait: decided: seconds to wait for a broadcast; then 204 and no body
   * - access_token: of the subscription to `$broadcast:{broadcast_id}`; our own hub takes it for the connection as well
   * - connection_token: decided: of the realtime connection
   */
  'broadcasts.broadcasts.longpoll': {
    input: { key: string; wait?: number | undefined }
    output: { access_token: string; connection_token: string; broadcast_id: number } | undefined
  }
  /**
   * Get credentials of the encoder. `GET /method/broadcast/credentials`, scope `broadcasts:write`.
   * - key: whole for editors; for viewers only its last four signs
   */
  'broadcasts.broadcasts.credentials': {
    input: { project_id: number }
    output: { key: string; ingresses: Array<{ url: string; region: string }> }
  }
  /**
   * Get a ticket to stream from a browser. `POST /method/broadcast/browser-ingest`, scope `broadcasts:write`.
   * - url: of a WebSocket with the subprotocols `relaydeck.browser` and the ticket
   * - ticket: a secret for one connection; the connection ends with the right of its user
   * - expires_at: end of the time to open the connection, a minute
   */
  'broadcasts.browser-ingest.create': {
    input: { project_id: number }
    output: { url: string; ticket: string; expires_at: string }
  }
  /**
   * View live info. `GET /method/live/restreams`, scope `broadcasts:read`.
   * - viewer: left out: the platform does not report it
   * - viewers: as `viewer`, by its earlier name; null: the platform does not report it
   * - url: page of the stream at the platform
   */
  'broadcasts.live.restreams': {
    input: { project_id: number; broadcast_id: number }
    output: LiveRestreams
  }
  /**
   * Get live status. `GET /method/project/live-status`, scope `broadcasts:read`.
   * - project_id: decided: left out, the last selected project
   * - live_groups_count: channels that are live
   * - bitrate: kbps of the encoder
   * - full_bitrate: kbps of the encoder times the channels that are live
   * - quality: lines of the picture
   * - speed: decided: always 0; not measured
   * - fps: decided: like the other figures 0 until they are measured
   * - restrims: channels of the broadcast
   */
  'broadcasts.live-status.get': {
    input: { project_id?: number | undefined }
    output: {
      live_groups_count: number
      stream_id?: number
      url?: string
      app?: string
      date?: string
      status?: string
      resolution?: string
      broadcast_id?: number
      action?: string
      info?: {
        restream_data: Array<{ id: number; status: string }>
        connect_id: number
        connect_id_v2: string
        fps: number
        key_frame: number
        count: number
        speed: number
        quality: number
        bitrate: number
        full_bitrate: number
        status: string
        restrims: number
      }
      video?: { task_id: number; video_id: number; name: string; duration: number }
    }
  }
  /**
   * Get a ticket for the live picture. `GET /method/broadcast/preview`, scope `broadcasts:read`.
   * - ticket: for the header `Authorization: Preview <ticket>`; good for `stream_path` and `poster_path` alone
   * - expires_at: end of the time to start playback; a running player continues while its viewer has the right
   * - stream_path: HTTP-FLV from the root of the service: headers and a keyframe first; null: see `reason`
   * - hls_path: HLS for players without Media Source Extensions, some seconds later; opened by the address itself, for an hour and while the session lives; null: no picture, or no ffmpeg
   * - poster_path: JPEG, a new one each ten seconds, with an ETag; null: see `poster_reason`
   */
  'broadcasts.preview.get': {
    input: { project_id: number }
    output: {
      ticket: string
      expires_at: string
      stream_path: string | null
      hls_path?: string | null
      reason: 'off_air' | 'elsewhere' | null
      poster_path: string | null
      poster_at: string | null
      poster_reason: 'off_air' | 'no_ffmpeg' | 'not_yet' | null
    }
  }
  /**
   * Get recordings of a broadcast, or of a project. `GET /method/broadcast/recordings`, scope `broadcasts:read`.
   * - broadcast_id: without it: those of all broadcasts, newest first; null in an answer: no broadcast is known
   * - state: `processing`: an MP4 is made of it; `failed`: nothing could be written
   * - reason: why it ended before the broadcast did
   * - server: the relay node on whose disk it lies
   * - file: below the folder of recordings of that node (`RECORDINGS_DIR`)
   * - size: bytes
   * - duration: milliseconds; null while unknown
   */
  'broadcasts.recordings.list': {
    input: {
      project_id: number
      broadcast_id?: number | undefined
      limit?: number | undefined
      offset?: number | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        broadcast_id: number | null
        state: 'recording' | 'processing' | 'ready' | 'failed'
        reason: 'disk_full' | 'limit' | 'disk_slow' | 'disk_error' | 'missing' | null
        server: string
        file: string
        size: number
        duration: number | null
        created_at: string
      }>
    }
  }
  /**
   * Get storage of recordings and films. `GET /method/broadcast/recordings/limits`, scope `broadcasts:read`.
   * - video_limit: bytes that the tariff gives; 0: nothing is recorded
   * - video_current: bytes that recordings and films take
   * - removal: the oldest recordings that are deleted at `removing_at`, because they exceed the space: number, bytes; null: none
   */
  'broadcasts.recordings.limits': {
    input: { project_id: number }
    output: {
      video_limit: number
      video_current: number
      removal: { removing_at: string; files: number; size: number } | null
    }
  }
  /**
   * Get address of a recording. `GET /method/broadcast/recordings/download`, scope `broadcasts:read`.
   * - url: path below the root of the service; MP4 or FLV, with ranges; opens this file only, for the caller, while the caller has the right
   * - expires_at: until when it may be fetched, from any part on
   * - size: bytes
   */
  'broadcasts.recordings.download': {
    input: { project_id: number; id: number }
    output: { url: string; name: string; size: number; expires_at: string }
  }
  /**
   * Delete a recording. `POST /method/broadcast/recordings/delete`, scope `broadcasts:write`.
   * - id: a recording in progress is refused; the file is removed when its server is connected
   */
  'broadcasts.recordings.remove': {
    input: { project_id: number; id: number }
    output: { success: boolean }
  }
  /**
   * Get list of schedules. `GET /method/scheduler`, scope `broadcasts:read`.
   * - group_id: its first channel; null: all
   * - start_at: Unix seconds, as all times of this group; of a series: the day and time that it counts from
   * - end_at: end of the first run; later runs end at the same wall time. null: after the last file, a loop when it is stopped
   * - active: decided: true: schedules with a further run or one that is on; false: those that are over
   * - channel_ids: a run goes to those of them that are switched on; empty: to all
   * - video: decided: files of the media library in their order; `duration`: seconds, 0: unknown
   * - duration: seconds of all files once; null: one of them is not ready
   * - next: begins of the next five runs at most
   * - run: `start_at`: its time; `begin_at`: when its first second was; `live`: it plays, on air or below an encoder
   * - missed: runs that were missed
   * - planned_at: broadcasts for the next run, by channel; `failed`: none, with the reason; `planned` with a reason: not as the schedule wants it; `page`: for viewers
   * - channel_id: schedules that name it, and those of all channels
   * - date_from: schedules with a run at this time or after it
   * - date_to: schedules with a run before this time
   * - order: by the next run; those that are over by their last one
   */
  'broadcasts.scheduler.list': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      channel_id?: number | undefined
      date_from?: number | undefined
      date_to?: number | undefined
      order?: 'asc' | 'desc' | undefined
      active?: boolean | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        project_id: number
        group_id: number | null
        taskId: number | null
        start_at: number
        end_at: number | null
        active: boolean
        channel_ids: number[]
        mode: 'video'
        type: 'video'
        video: {
          ids: number[]
          loop: boolean
          items: Array<{ id: number; name: string; duration: number; state: 'ready' | 'processing' | 'failed' | 'missing' }>
        }
        name: string
        zone: string
        repeat: Repeat | null
        late: 'join' | 'begin' | 'skip'
        late_max: number
        return: 'at_once' | 'stay'
        titles: ScheduledTitle[]
        planned: PlannedInput | null
        planned_at: Array<{
          channel_id: number
          start_at: number
          state: 'waiting' | 'planned' | 'failed'
          page: string | null
          reason: 'account' | 'late' | 'quota' | 'platform-refused' | 'platform-away' | 'platform-gone' | null
          words: string | null
        }>
        duration: number | null
        next: number[]
        run: {
          id: number
          start_at: number
          begin_at: number
          end_at: number | null
          state: 'waiting' | 'preparing' | 'ready' | 'live'
          words: string
          video_id: number | null
          broadcast_id: number | null
          titles: Array<{
            channel_id: number
            state: 'waiting' | 'set' | 'failed'
            reason: 'account' | 'platform-refused' | 'timeout' | 'hidden' | 'no-change' | null
            words: string | null
          }>
        } | null
        last: {
          id: number
          start_at: number
          state: 'ended' | 'stopped' | 'failed' | 'missed'
          reason: 'late' | 'overlap' | 'no_server' | 'no_video' | 'play' | null
          words: string
          date_end: number
          titles: Array<{
            channel_id: number
            state: 'waiting' | 'set' | 'failed'
            reason: 'account' | 'platform-refused' | 'timeout' | 'hidden' | 'no-change' | null
            words: string | null
          }>
        } | null
        missed: number
      }>
    }
  }
  /**
   * Get one schedule. `GET /method/scheduler/get`, scope `broadcasts:read`.
   * - group_id: its first channel; null: all
   * - start_at: Unix seconds, as all times of this group; of a series: the day and time that it counts from
   * - end_at: end of the first run; later runs end at the same wall time. null: after the last file, a loop when it is stopped
   * - active: a further run follows, or one is on
   * - channel_ids: a run goes to those of them that are switched on; empty: to all
   * - video: decided: files of the media library in their order; `duration`: seconds, 0: unknown
   * - duration: seconds of all files once; null: one of them is not ready
   * - next: begins of the next five runs at most
   * - run: `start_at`: its time; `begin_at`: when its first second was; `live`: it plays, on air or below an encoder
   * - missed: runs that were missed
   * - planned_at: broadcasts for the next run, by channel; `failed`: none, with the reason; `planned` with a reason: not as the schedule wants it; `page`: for viewers
   */
  'broadcasts.scheduler.get': {
    input: { project_id: number; id: number }
    output: {
      id: number
      project_id: number
      group_id: number | null
      taskId: number | null
      start_at: number
      end_at: number | null
      active: boolean
      channel_ids: number[]
      mode: 'video'
      type: 'video'
      video: {
        ids: number[]
        loop: boolean
        items: Array<{ id: number; name: string; duration: number; state: 'ready' | 'processing' | 'failed' | 'missing' }>
      }
      name: string
      zone: string
      repeat: Repeat | null
      late: 'join' | 'begin' | 'skip'
      late_max: number
      return: 'at_once' | 'stay'
      titles: ScheduledTitle[]
      planned: PlannedInput | null
      planned_at: Array<{
        channel_id: number
        start_at: number
        state: 'waiting' | 'planned' | 'failed'
        page: string | null
        reason: 'account' | 'late' | 'quota' | 'platform-refused' | 'platform-away' | 'platform-gone' | null
        words: string | null
      }>
      duration: number | null
      next: number[]
      run: {
        id: number
        start_at: number
        begin_at: number
        end_at: number | null
        state: 'waiting' | 'preparing' | 'ready' | 'live'
        words: string
        video_id: number | null
        broadcast_id: number | null
        titles: Array<{
          channel_id: number
          state: 'waiting' | 'set' | 'failed'
          reason: 'account' | 'platform-refused' | 'timeout' | 'hidden' | 'no-change' | null
          words: string | null
        }>
      } | null
      last: {
        id: number
        start_at: number
        state: 'ended' | 'stopped' | 'failed' | 'missed'
        reason: 'late' | 'overlap' | 'no_server' | 'no_video' | 'play' | null
        words: string
        date_end: number
        titles: Array<{
          channel_id: number
          state: 'waiting' | 'set' | 'failed'
          reason: 'account' | 'platform-refused' | 'timeout' | 'hidden' | 'no-change' | null
          words: string | null
        }>
      } | null
      missed: number
    }
  }
  /**
   * Create a schedule. `POST /method/scheduler`, scope `broadcasts:write`.
   * - name: decided; left out: that of the first file
   * - channel_ids: a run goes to those of them that are switched on; empty: to all
   * - start_at: Unix seconds; left out only with `start_now`
   * - end_at: end of the first run; later runs end at the same wall time. null: after the last file, a loop when it is stopped
   * - start_now: the first run begins immediately; `start_at` is ignored
   * - video: decided: `ids` of films in the media library, in their order; `loop`: they begin again after the last one
   * - zone: decided: IANA time zone of the series. A time that summer time leaves out is moved forward, of a doubled hour the first counts
   * - repeat: decided: `days`: 1 Monday to 7 Sunday; `until`: last begin, included; `count`: runs in all. A month without the day has the run on its last day
   * - late: decided: a run that begins late `join`s at the place where it would be, `begin`s at its first second, or is missed (`skip`); left out: `join` for a loop, else `begin`
   * - return: decided: an encoder that went away during a run takes over again `at_once`, or the files `stay` on air to the end of the run
   * - titles: decided: titles of channels with an account, set at their platforms when the run has the air
   * - planned: decided: a broadcast is planned at YouTube for the next run, visible by `privacy` at once; `description` left out: that of the channel; null: none
   * - late_max: decided: seconds after which a run is missed; with `join` it begins until `end_at`
   */
  'broadcasts.scheduler.create': {
    input: {
      project_id: number
      name?: string | undefined
      channel_ids: number[]
      start_at?: number | undefined
      end_at?: number | null | undefined
      start_now?: boolean | undefined
      mode?: 'video' | undefined
      video: { ids: number[]; loop?: boolean | undefined }
      zone?: string | undefined
      repeat?: {
        every: 'day' | 'week' | 'month'
        n?: number | undefined
        days?: number[] | undefined
        until?: number | undefined
        count?: number | undefined
      } | null | undefined
      late?: 'join' | 'begin' | 'skip' | undefined
      late_max?: number | undefined
      return?: 'at_once' | 'stay' | undefined
      titles?: Array<{ channel_id: number; title: string }> | undefined
      planned?: { privacy?: 'public' | 'unlisted' | 'private' | undefined; description?: string | undefined } | null | undefined
    }
    output: { id: number }
  }
  /**
   * Replace a schedule. `PUT /method/scheduler`, scope `broadcasts:write`.
   * - name: decided; left out: that of the first file
   * - channel_ids: a run goes to those of them that are switched on; empty: to all
   * - start_at: Unix seconds; left out only with `start_now`
   * - end_at: end of the first run; later runs end at the same wall time. null: after the last file, a loop when it is stopped
   * - start_now: the first run begins immediately; `start_at` is ignored
   * - video: decided: `ids` of films in the media library, in their order; `loop`: they begin again after the last one
   * - zone: decided: IANA time zone of the series. A time that summer time leaves out is moved forward, of a doubled hour the first counts
   * - repeat: decided: `days`: 1 Monday to 7 Sunday; `until`: last begin, included; `count`: runs in all. A month without the day has the run on its last day
   * - late: decided: a run that begins late `join`s at the place where it would be, `begin`s at its first second, or is missed (`skip`); left out: `join` for a loop, else `begin`
   * - return: decided: an encoder that went away during a run takes over again `at_once`, or the files `stay` on air to the end of the run
   * - titles: decided: titles of channels with an account, set at their platforms when the run has the air
   * - planned: decided: a broadcast is planned at YouTube for the next run, visible by `privacy` at once; `description` left out: that of the channel; null: none
   * - late_max: decided: seconds after which a run is missed; with `join` it begins until `end_at`
   * - id: a run that has begun keeps its files, channels and end
   */
  'broadcasts.scheduler.update': {
    input: {
      project_id: number
      id: number
      name?: string | undefined
      channel_ids: number[]
      start_at?: number | undefined
      end_at?: number | null | undefined
      start_now?: boolean | undefined
      mode?: 'video' | undefined
      video: { ids: number[]; loop?: boolean | undefined }
      zone?: string | undefined
      repeat?: {
        every: 'day' | 'week' | 'month'
        n?: number | undefined
        days?: number[] | undefined
        until?: number | undefined
        count?: number | undefined
      } | null | undefined
      late?: 'join' | 'begin' | 'skip' | undefined
      late_max?: number | undefined
      return?: 'at_once' | 'stay' | undefined
      titles?: Array<{ channel_id: number; title: string }> | undefined
      planned?: { privacy?: 'public' | 'unlisted' | 'private' | undefined; description?: string | undefined } | null | undefined
    }
    output: { success: boolean }
  }
  /**
   * Delete a schedule. `DELETE /method/scheduler`, scope `broadcasts:write`.
   * - id: its run ends as well
   */
  'broadcasts.scheduler.remove': {
    input: { project_id: number; id: number }
    output: { success: boolean }
  }
  /**
   * Stop the run of a schedule. `POST /method/scheduler/stop`, scope `broadcasts:control`.
   * - id: the run that is on, or about to begin; the series continues
   */
  'broadcasts.scheduler.stop': {
    input: { project_id: number; id: number }
    output: { success: boolean }
  }
  /**
   * Project channel list. `GET /method/channel/access/list`, scope `channels:read`.
   * - channel_id: its own project sees everybody, others see themselves and the owner
   */
  'channels.access.list': {
    input: { project_id: number; channel_id: number }
    output: {
      results: Array<{
        access_type: 0 | 1 | 2
        active: 0 | 1
        channel_id: number
        id: number
        owner_id: number
        preview?: string | null
        title?: string | null
        transcoder_id?: number | null
        unlim: string
        usageType: number
        project_id: number
        project_?: ProjectCard | null
        streamInfo: { description: string; title: string }
      }>
    }
  }
  /**
   * Change access. `POST /method/channel/access/change`, scope `channels:write`.
   * - access_type: 0 looks at it, which switches it off there; 1 uses it; 2 only by transfer_owner
   */
  'channels.access.change': {
    input: { project_id: number; channel_id: number; to_project_id: number; access_type: 0 | 1 | 2 }
    output: { success: boolean }
  }
  /**
   * Remove access. `POST /method/channel/access/del`, scope `channels:write`.
   * - target_project_id: any for owners of the channel, `project_id` itself for editors elsewhere
   */
  'channels.access.del': {
    input: { project_id: number; channel_id: number; target_project_id: number }
    output: { success: boolean }
  }
  /**
   * Transfer owner. `POST /method/channel/access/transfer_owner`, scope `channels:write`.
   * - to_project_id: a project that has the channel already; this one keeps it as an editor
   */
  'channels.access.transferOwner': {
    input: { project_id: number; channel_id: number; to_project_id: number }
    output: { success: boolean }
  }
  /**
   * Add telegram channel. `POST /method/channel/add/telegram`, scope `channels:write`.
   */
  'channels.add-channel.telegram': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add fb channel. `POST /method/channel/add/fb`, scope `channels:write`.
   */
  'channels.add-channel.fb': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add instagram channel. `POST /method/channel/add/instagram`, scope `channels:write`.
   */
  'channels.add-channel.instagram': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add tiktok channel. `POST /method/channel/add/tiktok`, scope `channels:write`.
   */
  'channels.add-channel.tiktok': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add steam channel. `POST /method/channel/add/steam`, scope `channels:write`.
   */
  'channels.add-channel.steam': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add linkedin channel. `POST /method/channel/add/linkedin`, scope `channels:write`.
   */
  'channels.add-channel.linkedin': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add goodgame channel. `POST /method/channel/add/goodgame`, scope `channels:write`.
   */
  'channels.add-channel.goodgame': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add boosty channel. `POST /method/channel/add/boosty`, scope `channels:write`.
   */
  'channels.add-channel.boosty': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add plvideo channel. `POST /method/channel/add/plvideo`, scope `channels:write`.
   */
  'channels.add-channel.plvideo': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add nimotv channel. `POST /method/channel/add/nimotv`, scope `channels:write`.
   */
  'channels.add-channel.nimotv': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add navertv channel. `POST /method/channel/add/navertv`, scope `channels:write`.
   */
  'channels.add-channel.navertv': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add douyu channel. `POST /method/channel/add/douyu`, scope `channels:write`.
   */
  'channels.add-channel.douyu': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add huya channel. `POST /method/channel/add/huya`, scope `channels:write`.
   */
  'channels.add-channel.huya': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add fc2Live channel. `POST /method/channel/add/fc2Live`, scope `channels:write`.
   */
  'channels.add-channel.fc2Live': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add kinescope channel. `POST /method/channel/add/kinescope`, scope `channels:write`.
   */
  'channels.add-channel.kinescope': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add getcourse channel. `POST /method/channel/add/getcourse`, scope `channels:write`.
   */
  'channels.add-channel.getcourse': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add bizon channel. `POST /method/channel/add/bizon`, scope `channels:write`.
   */
  'channels.add-channel.bizon': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add tachid channel. `POST /method/channel/add/tachid`, scope `channels:write`.
   */
  'channels.add-channel.tachid': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add nonolive channel. `POST /method/channel/add/nonolive`, scope `channels:write`.
   */
  'channels.add-channel.nonolive': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add vlive channel. `POST /method/channel/add/vlive`, scope `channels:write`.
   */
  'channels.add-channel.vlive': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add zhanqitv channel. `POST /method/channel/add/zhanqitv`, scope `channels:write`.
   */
  'channels.add-channel.zhanqitv': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add custom channel. `POST /method/channel/add/custom`, scope `channels:write`.
   */
  'channels.add-channel.custom': {
    input: { project_id: number; rtmp_url: string; stream_key: string; name: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add kick channel. `POST /method/channel/add/kick`, scope `channels:write`.
   */
  'channels.add-channel.kick': {
    input: { project_id: number; rtmp_url: string; stream_key: string; channel_url: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add rutube channel. `POST /method/channel/add/rutube`, scope `channels:write`.
   */
  'channels.add-channel.rutube': {
    input: { project_id: number; rtmp_url: string; stream_key: string; channel_url: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add vk channel. `POST /method/channel/add/vk`, scope `channels:write`.
   */
  'channels.add-channel.vk': {
    input: { project_id: number; channel_id: string; account_id: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add ok channel. `POST /method/channel/add/ok`, scope `channels:write`.
   */
  'channels.add-channel.ok': {
    input: { project_id: number; rtmp_url: string; stream_key: string; channel_id: string; account_id: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add srt channel. `POST /method/channel/add/srt`, scope `channels:write`.
   */
  'channels.add-channel.srt': {
    input: { project_id: number; name: string; ingress_url: string }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Add channel of any platform by address and key. `POST /method/channel/add`, scope `channels:write`.
   */
  'channels.add-channel.any': {
    input: {
      project_id: number
      rtmp_url: string
      stream_key: string
      type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
      name: string
      channel_url?: string | undefined
    }
    output: { success: boolean; channel_id: number; active: boolean }
  }
  /**
   * Search channel list. `GET /method/channel/search`, scope `channels:read`.
   * - type: `my` belong to the project, `available` are shared with it, `active` are switched on
   * - platform: types with commas between them
   * - name: a part of the name, in any case
   */
  'channels.channels.search': {
    input: {
      project_id: number
      type?: 'all' | 'my' | 'available' | 'active' | undefined
      platform?: string | undefined
      name?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Channel[]
      platforms: Array<{
        id: number
        type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
        title: string
        edit_name: 0 | 1
      }>
    }
  }
  /**
   * Minimal channel list. `GET /method/channel/short`, scope `channels:read`.
   */
  'channels.channels.short': {
    input: { project_id: number }
    output: {
      results: Array<{
        channel_id: number
        type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
        name: string
        photo_default?: string | null
      }>
    }
  }
  /**
   * Get channel by id. `GET /method/channel/get`, scope `channels:read`.
   */
  'channels.channels.get': {
    input: { project_id: number; channel_id: number }
    output: Channel
  }
  /**
   * Get live status. `POST /method/channel/set-status`, scope `channels:control`.
   * - status: true switches the channel on
   * - project_id: decided: project that switches it; default: the last selected project that has the channel, else its owner
   */
  'channels.channels.setStatus': {
    input: { channel_id: number; status: boolean; project_id?: number | undefined }
    output: { success: boolean }
  }
  /**
   * Switch channels on or off. `POST /method/channel/bulk-status`, scope `channels:control`.
   * - channel_ids: all of them or none
   */
  'channels.channels.bulkStatus': {
    input: { project_id: number; channel_ids: number[]; status: boolean }
    output: { success: boolean }
  }
  /**
   * Set delay of a channel. `GET /method/channel/set-delay`, scope `channels:write`.
   * - delay: decided: seconds; 0 is none
   */
  'channels.channels.setDelay': {
    input: { project_id: number; channel_id: number; delay?: number | undefined }
    output: { success: boolean }
  }
  /**
   * Set tracks of a channel. `POST /method/channel/set-tracks`, scope `channels:write`.
   * - video: track of the picture: `main`, by its shape, or by its number
   * - audio: track of the sound; `silent`: silence
   * - missing: while a chosen track is missing the channel waits and opens no connection, or receives the main one
   */
  'channels.channels.setTracks': {
    input: {
      project_id: number
      channel_id: number
      video: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | 'main' | 'landscape' | 'portrait'
      audio: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | 'main' | 'silent'
      missing: 'wait' | 'main'
    }
    output: { success: boolean }
  }
  /**
   * Set silence of a channel. `POST /method/channel/set-silence`, scope `channels:write`.
   * - silence: silence while the encoder sends no sound: `auto` where the platform shows no stream without sound (YouTube), `always`, `never`
   */
  'channels.channels.setSilence': {
    input: { project_id: number; channel_id: number; silence: 'auto' | 'always' | 'never' }
    output: { success: boolean }
  }
  /**
   * Set ladder of a channel. `POST /method/channel/set-ladder`, scope `channels:write`.
   * - ladder: smaller picture of the encoder while the channel is too slow: `same_size` where it sends a further one of the same size (default), `off`
   */
  'channels.channels.setLadder': {
    input: { project_id: number; channel_id: number; ladder: 'same_size' | 'off' }
    output: { success: boolean }
  }
  /**
   * Set healing of a channel. `POST /method/channel/set-healing`, scope `channels:write`.
   * - channel_id: a channel of YouTube with an account
   * - healing: true makes a new broadcast, once, when the platform shows the old one no longer although the channel is live: viewers get a new address
   */
  'channels.channels.setHealing': {
    input: { project_id: number; channel_id: number; healing: boolean }
    output: { success: boolean }
  }
  /**
   * Delete channel. `POST /method/channel/delete`, scope `channels:write`.
   * - channel_id: of another project: takes it out of this one
   */
  'channels.channels.remove': {
    input: { project_id: number; channel_id: number }
    output: { success: boolean }
  }
  /**
   * Test the connection to a destination. `POST /method/channel/test`, scope `channels:write`.
   * - url: an address that is not saved yet, or
   * - channel_id: a channel with its own address
   * - latency: milliseconds to open the connection; null when it could not be opened
   */
  'channels.channels.test': {
    input: { project_id: number; url?: string | undefined; channel_id?: number | undefined }
    output: {
      reachable: boolean
      reason: 'ok' | 'dns_failed' | 'forbidden_address' | 'refused' | 'unreachable' | 'timed_out' | 'closed' | 'tls_failed' | 'wrong_protocol'
      latency: number | null
    }
  }
  /**
   * List of invites for channel in project. `GET /method/channel_invite/list`, scope `channels:read`.
   */
  'channels.invites.list': {
    input: { project_id: number; channel_id: number }
    output: {
      results: Array<{
        project_channel_invite_id: number
        channel_id: number
        to_project_id?: number | null
        access_type: 0 | 1 | 2
        date: string
        date_expire: string
        secret: string
        email?: string | null
        reject?: boolean | null
        from_user_id?: number | null
        from_project_id?: number | null
        to_project_?: ProjectCard | null
      }>
    }
  }
  /**
   * Get channel invite item. `GET /method/channel_invite/get`, scope `channels:read`.
   * - id: `project_channel_invite_id`
   */
  'channels.invites.get': {
    input: { id: number }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      from_project_id?: number | null
      to_project_?: ProjectCard | null
    }
  }
  /**
   * Add channel invite item by id. `POST /method/channel_invite/add_by_id`, scope `channels:write`.
   * - access_type: 0 looks at it, 1 uses it; 2 only by channel/access/transfer_owner
   */
  'channels.invites.addById': {
    input: { project_id: number; channel_id: number; access_type: 0 | 1 | 2; to_project_external_id: string }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      from_project_id?: number | null
      to_project_?: ProjectCard | null
    }
  }
  /**
   * Add channel invite item by email. `POST /method/channel_invite/add_by_email`, scope `channels:write`.
   * - access_type: 0 looks at it, 1 uses it; 2 only by channel/access/transfer_owner
   * - secret: never shown again
   * - url: the link, with the secret behind `#`
   * - mail: state of the e-mail; `none`: no e-mail was requested
   * - email: recipient of the link; every holder of the link can use it
   */
  'channels.invites.addByEmail': {
    input: { project_id: number; channel_id: number; access_type: 0 | 1 | 2; email: string }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      from_project_id?: number | null
      to_project_?: ProjectCard | null
      url: string
      mail: 'sent' | 'not-configured' | 'failed' | 'none'
    }
  }
  /**
   * Add channel invite item with a link. `POST /method/channel_invite/add_link`, scope `channels:write`.
   * - access_type: 0 looks at it, 1 uses it; 2 only by channel/access/transfer_owner
   * - secret: never shown again
   * - url: the link, with the secret behind `#`
   * - mail: state of the e-mail; `none`: no e-mail was requested
   */
  'channels.invites.addLink': {
    input: { project_id: number; channel_id: number; access_type: 0 | 1 | 2 }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      from_project_id?: number | null
      to_project_?: ProjectCard | null
      url: string
      mail: 'sent' | 'not-configured' | 'failed' | 'none'
    }
  }
  /**
   * Delete channel invite item. `POST /method/channel_invite/del`, scope `channels:write`.
   * - id: `project_channel_invite_id`
   */
  'channels.invites.del': {
    input: { id: number }
    output: { success: boolean }
  }
  /**
   * List of channel invitations for project. `GET /method/channel_invite/list_for_project`, scope `channels:read`.
   */
  'channels.invites.received': {
    input: { project_id: number }
    output: {
      results: Array<{
        project_channel_invite_id: number
        channel_id: number
        to_project_id?: number | null
        access_type: 0 | 1 | 2
        date: string
        date_expire: string
        secret: string
        email?: string | null
        reject?: boolean | null
        from_user_id?: number | null
        channel_?: {
          channel_id: number
          name: string
          photo_50: string
          type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
        } | null
        from_project_?: ProjectCard | null
      }>
    }
  }
  /**
   * Get invitation for channel. `GET /method/channel_invite/get_for_project`, scope `channels:read`.
   */
  'channels.invites.getForProject': {
    input: { project_id: number; channel_id: number }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      channel_?: {
        channel_id: number
        name: string
        photo_50: string
        type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
      } | null
      from_project_?: ProjectCard | null
    }
  }
  /**
   * Accept invitation for channel. `POST /method/channel_invite/accept_for_project`, scope `channels:write`.
   */
  'channels.invites.acceptForProject': {
    input: { project_id: number; channel_id: number }
    output: { success: boolean }
  }
  /**
   * Decline invitation for channel. `POST /method/channel_invite/decline_for_project`, scope `channels:write`.
   */
  'channels.invites.declineForProject': {
    input: { project_id: number; channel_id: number }
    output: { success: boolean }
  }
  /**
   * Get invitation using a secret link. `GET /method/channel_invite/get_for_secret`, scope `channels:read`.
   */
  'channels.invites.getForSecret': {
    input: { channel_id: number; secret: string }
    output: {
      project_channel_invite_id: number
      channel_id: number
      to_project_id?: number | null
      access_type: 0 | 1 | 2
      date: string
      date_expire: string
      secret: string
      email?: string | null
      reject?: boolean | null
      from_user_id?: number | null
      channel_?: {
        channel_id: number
        name: string
        photo_50: string
        type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
      } | null
      from_project_?: ProjectCard | null
    }
  }
  /**
   * Accept invitation using a secret link. `POST /method/channel_invite/accept_for_secret`, scope `channels:write`.
   * - project_id: the project that gets the channel
   */
  'channels.invites.acceptForSecret': {
    input: { project_id: number; channel_id: number; secret: string }
    output: { success: boolean }
  }
  /**
   * Decline invitation using a secret link. `POST /method/channel_invite/decline_for_secret`, scope `channels:write`.
   */
  'channels.invites.declineForSecret': {
    input: { project_id: number; channel_id: number; secret: string }
    output: { success: boolean }
  }
  /**
   * Get planned list. `GET /method/channel_settings/options/getPlanned`, scope `channels:read`.
   */
  'channels.planned.get': {
    input: { project_id: number; channel_id: number }
    output: {
      results: Array<{ planned?: { id: string; title: string; description: string; date: string } }>
      selected: string | null
    }
  }
  /**
   * Set planned id. `POST /method/channel_settings/options/setPlanned`, scope `channels:write`.
   * - id: the planned stream of the next broadcast; without it each broadcast creates one
   */
  'channels.planned.set': {
    input: { project_id: number; channel_id: number; id?: string | undefined }
    output: { planned?: { id: string; title: string; description: string; date: string } }
  }
  /**
   * Get playlists from the platform. `GET /method/channel_settings/options/getPlaylist`, scope `channels:read`.
   */
  'channels.planned.playlists': {
    input: { project_id: number; channel_id: number }
    output: { results: Array<{ id: string; name: string }> }
  }
  /**
   * Supported platforms. `GET /method/platforms/list`, any token.
   */
  'channels.platforms.list': {
    input: Record<string, never>
    output: { results: Platform[] }
  }
  /**
   * Get category from the platform. `GET /method/platforms/category`, any token.
   * - q: part of the name
   * - type: platform of an account that the caller may use
   */
  'channels.platforms.category': {
    input: { q?: string | undefined; type: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'trovo' }
    output: {
      results: Array<{ id: string; name: string; image?: string; subList?: Array<{ id: string; name: string }> }>
    }
  }
  /**
   * Get accounts. `GET /method/platforms/accounts`, scope `profile:read`.
   * - platform: decided: left out, of all platforms; `vk` has those of `vk-id` as well
   */
  'channels.platforms.accounts': {
    input: { platform?: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | undefined }
    output: {
      results: Array<{
        id: number
        accountId: string
        name: string
        avatar: string
        status: number
        platform: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick'
        channels: number
        chat?: number
      }>
    }
  }
  /**
   * Get channels with accounts. `GET /method/platforms/account/channels`, scope `channels:read`.
   * - ids: numbers of accounts (`id` of the list)
   * - q: part of the name
   * - sort: by name
   * - request_id: any text; each call sends a new request to the platform
   */
  'channels.platforms.accountChannels': {
    input: {
      project_id: number
      platform: 'vk' | 'ok'
      ids: number[]
      q?: string | undefined
      sort?: 'asc' | 'desc' | undefined
      request_id: string
      limit?: number | undefined
      page?: number | undefined
    }
    output: {
      results: Array<{
        id: string
        name: string
        photo: string
        members: number
        connectedId: number | null
        accounts: Array<{ id: string; name: string; avatar: string; internalId: number }>
      }>
      totalItems: number
      totalPages: number
      currentPage: number
      nextPage: number
    }
  }
  /**
   * Remove account. `POST /method/platforms/account/remove`, scope `profile:write`.
   * - id: the number of the account as text
   */
  'channels.platforms.accountRemove': {
    input: { platform: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick'; id: string }
    output: { success: boolean }
  }
  /**
   * Sign an account out. `POST /method/platforms/logout`, scope `profile:write`.
   * - id: ID of the account; its channels stay and wait until the account is connected again
   * - results: decided: the account that was signed out
   */
  'channels.platforms.logout': {
    input: { id: string; platform: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' }
    output: { success: boolean; results: Array<{ id: string; name: string; image?: string }> }
  }
  /**
   * Get url for start oauth. `GET /method/platforms/connect`, no API token.
   * - sub_id: returned by `connect/finish`
   * - redirect: decided: page of the dashboard to come back to; an origin this service serves or trusts
   * - chat: decided: also requests the permissions to write and moderate in chat
   */
  'channels.platforms.connect': {
    input: {
      project_id: number
      platform: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick'
      sub_id?: string | undefined
      redirect?: string | undefined
      chat?: boolean | undefined
    }
    output: { url: string }
  }
  /**
   * Get url for start oauth of a community. `GET /method/platforms/connect/vk-community`, no API token.
   * - channel_id: a channel of the project that is a community
   * - account_id: number of its account
   */
  'channels.platforms.connectCommunity': {
    input: {
      project_id: number
      channel_id: number
      account_id: string
      sub_id?: string | undefined
      redirect?: string | undefined
    }
    output: { url: string }
  }
  /**
   * Finish connecting an account. `POST /method/platforms/connect/finish`, no API token.
   * - state: from the callback URL; valid once, for the user that started
   * - channel_id: the channel that was made; null where places of the account become channels one by one
   */
  'channels.platforms.finish': {
    input: { state: string }
    output: {
      success: boolean
      project_id: number
      platform: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick'
      account: { id: number; name: string }
      channel_id: number | null
      active: boolean | null
      sub_id: string | null
    }
  }
  /**
   * Internal request of auth vk-id. `GET /method/platforms/vk-id/callback`, no API token.
   * - device_id: VK ID only
   * - iss: issuer of the response (RFC 9207)
   */
  'channels.platforms.callbackVkId': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      device_id?: string | undefined
      iss?: string | undefined
    }
    output: { location: string }
  }
  /**
   * Internal request of auth of a community. `GET /method/platforms/vk/callback-community`, no API token.
   * - device_id: VK ID only
   * - iss: issuer of the response (RFC 9207)
   */
  'channels.platforms.callbackCommunity': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      device_id?: string | undefined
      iss?: string | undefined
    }
    output: { location: string }
  }
  /**
   * Internal request of auth of a platform. `GET /method/platforms/{provider}/callback`, no API token.
   * - device_id: VK ID only
   * - iss: issuer of the response (RFC 9207)
   */
  'channels.platforms.callback': {
    input: {
      state?: string | undefined
      code?: string | undefined
      error?: string | undefined
      device_id?: string | undefined
      iss?: string | undefined
      provider: 'youtube' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo' | 'kick'
    }
    output: { location: string }
  }
  /**
   * Optional settings per platform (ok). `POST /method/channel_settings/options/setOk`, scope `channels:write`.
   */
  'channels.settings.setOk': {
    input: { project_id: number; channel_id: number; title: string; description: string }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (trovo). `POST /method/channel_settings/options/setTrovo`, scope `channels:write`.
   */
  'channels.settings.setTrovo': {
    input: {
      project_id: number
      channel_id: number
      title: string
      category_id?: string | undefined
      category_name?: string | undefined
      audience?: 'CHANNEL_AUDIENCE_TYPE_FAMILYFRIENDLY' | 'CHANNEL_AUDIENCE_TYPE_TEEN' | 'CHANNEL_AUDIENCE_TYPE_EIGHTEENPLUS' | undefined
      lang?: 'ru' | 'en' | 'cn' | undefined
    }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (twitch). `POST /method/channel_settings/options/setTwitch`, scope `channels:write`.
   */
  'channels.settings.setTwitch': {
    input: {
      project_id: number
      channel_id: number
      title: string
      category_id?: string | undefined
      category_name?: string | undefined
      lang?: 'ru' | 'en' | undefined
      tags?: string[] | undefined
      domain: string
    }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (vk). `POST /method/channel_settings/options/setVk`, scope `channels:write`.
   */
  'channels.settings.setVk': {
    input: {
      project_id: number
      channel_id: number
      title: string
      description: string
      category_id?: string | undefined
      category_name?: string | undefined
      category_secondary_id?: string | undefined
      category_secondary_name?: string | undefined
      playlist_id?: string | undefined
      privacy_comments?: 'all' | 'members' | 'editors' | 'nobody' | undefined
      privacy_video?: 'all' | 'members' | 'editors' | 'by_link' | 'donut' | undefined
      wall?: boolean | undefined
      disable_auto_end?: boolean | undefined
    }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (vk video live). `POST /method/channel_settings/options/setVkVideoLive`, scope `channels:write`.
   */
  'channels.settings.setVkVideoLive': {
    input: {
      project_id: number
      channel_id: number
      title: string
      category_id?: string | undefined
      category_name?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (youtube). `POST /method/channel_settings/options/setYoutube`, scope `channels:write`.
   */
  'channels.settings.setYoutube': {
    input: {
      project_id: number
      channel_id: number
      title: string
      description: string
      category_id?: string | undefined
      category_name?: string | undefined
      playlist_id?: string | undefined
      audience?: 'mark_for_kids' | 'mark_for_nokids' | undefined
      latency?: 'normal' | 'low' | 'ultraLow' | undefined
      privacy_video?: 'private' | 'public' | 'unlisted' | undefined
      image?: string | undefined
      lang?: 'ru' | 'en' | undefined
      tags?: string[] | undefined
      disable_auto_end?: boolean | undefined
    }
    output: { success: boolean }
  }
  /**
   * Set name for a custom channel. `POST /method/channel_settings/setName`, scope `channels:write`.
   */
  'channels.settings.setName': {
    input: { project_id: number; channel_id: number; name: string }
    output: { success: boolean }
  }
  /**
   * Set rtmp url for a custom channel. `POST /method/channel_settings/setRtmp`, scope `channels:write`.
   * - stream_key: decided: without it the key does not change
   */
  'channels.settings.setRtmp': {
    input: { project_id: number; channel_id: number; url: string; stream_key?: string | undefined }
    output: { success: boolean }
  }
  /**
   * Set srt url for a channel. `POST /method/channel_settings/setSrt`, scope `channels:write`.
   */
  'channels.settings.setSrt': {
    input: { project_id: number; channel_id: number; url: string }
    output: { success: boolean }
  }
  /**
   * Set the page of a channel. `POST /method/channel_settings/setPage`, scope `channels:write`.
   * - channel_url: page at the platform, by which its chat is read without an account; empty: none
   */
  'channels.settings.setPage': {
    input: { project_id: number; channel_id: number; channel_url: string }
    output: { success: boolean }
  }
  /**
   * Set transcoder for a channel. `POST /method/channel_settings/setTranscoder`, scope `channels:write`.
   * - transcoder_id: without it the channel receives the stream unchanged
   */
  'channels.settings.setTranscoder': {
    input: { project_id: number; channel_id: number; transcoder_id?: number | undefined }
    output: { success: boolean }
  }
  /**
   * Set title and description of many channels. `POST /method/channel_settings/bulkUpdate`, scope `channels:control`.
   * - description: decided: left out, each channel keeps its own
   * - channel_ids: decided: left out, all channels of the project
   */
  'channels.settings.bulkUpdate': {
    input: {
      project_id: number
      title: string
      description?: string | undefined
      channel_ids?: number[] | undefined
    }
    output: {
      success: boolean
      results: Array<{
        channel_id: number
        outcome: 'updated' | 'by_key' | 'no_settings' | 'too_long' | 'not_allowed_text' | 'platform_refused' | 'forbidden'
      }>
    }
  }
  /**
   * Get status platform. `GET /method/channel_settings/getStatus`, any token.
   */
  'channels.settings.getStatus': {
    input: Record<string, never>
    output: { message: string | null }
  }
  /**
   * Refresh the token of a channel. `GET /method/channel_settings/update-token`, scope `channels:write`.
   */
  'channels.settings.updateToken': {
    input: { project_id: number; channel_id: number; role: 'account' | 'group' }
    output: { success: boolean }
  }
  /**
   * Optional settings per platform (telegram). `POST /method/channel_settings/chat/setTelegram`, scope `channels:write`.
   * - select: like `filter_mode` of telegram/setting, which does more
   */
  'channels.telegram-chat.setTelegram': {
    input: {
      project_id: number
      channel_id: number
      link?: string | undefined
      select?: 0 | 1 | 2 | undefined
      messageId?: number | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get settings. `GET /method/channel_settings/chat/telegram/setting`, scope `channels:read`.
   */
  'channels.telegram-chat.settings': {
    input: { project_id: number; channel_id: number }
    output: {
      connected: boolean
      data: {
        filter_mode: 0 | 1 | 2 | 3
        chat: { id: number; name: string; domain?: string; image: string }
        post?: { message_id: number; text: string; attachments: Record<string, unknown> }
      } | null
    }
  }
  /**
   * Set settings. `POST /method/channel_settings/chat/telegram/setting`, scope `channels:write`.
   * - filter_mode: 0 newest post, 1 pinned post, 2 the post of `message_id`, 3 the post of `link`
   * - link: address of a post at t.me
   */
  'channels.telegram-chat.setSettings': {
    input: {
      project_id: number
      channel_id: number
      filter_mode: 0 | 1 | 2 | 3
      message_id?: number | undefined
      link?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get code for connected chat. `GET /method/channel_settings/chat/telegram/init`, scope `channels:write`.
   * - code: to be posted into the chat after the bot was let in
   * - bot: decided: name of the bot
   */
  'channels.telegram-chat.init': {
    input: { project_id: number; channel_id: number }
    output: { code: string; bot: string }
  }
  /**
   * Disconnect chat. `GET /method/channel_settings/chat/telegram/disconnect`, scope `channels:write`.
   */
  'channels.telegram-chat.disconnect': {
    input: { project_id: number; channel_id: number }
    output: { success: boolean }
  }
  /**
   * Get post list. `GET /method/channel_settings/chat/telegram/posts`, scope `channels:read`.
   */
  'channels.telegram-chat.posts': {
    input: { project_id: number; channel_id: number }
    output: { results: Array<{ message_id: number; text: string; attachments: Record<string, unknown> }> }
  }
  /**
   * Get post by filter. `GET /method/channel_settings/chat/telegram/posts/get-by-filter`, scope `channels:read`.
   */
  'channels.telegram-chat.postByFilter': {
    input: { project_id: number; channel_id: number; filter_mode: 0 | 1 | 2 | 3 }
    output: { message_id: number; text: string; attachments: Record<string, unknown> }
  }
  /**
   * List history message. `GET /method/chat/messages`, scope `chat:read`.
   * - event_id: UUID of the message
   * - seq: decided: position in the broadcast; grows with each message, with gaps where messages are hidden
   * - rev: decided: the page has all changes up to this number; `chat/changes` returns later ones
   * - text: plain text: insert it as text, never as HTML
   * - created_at: time at the platform; the order is that of `seq`
   * - paid: decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)
   * - hidden: decided: with hidden messages; for members only
   * - late: decided: received after a gap, older than messages before it
   * - deleted: decided: removed; the text is empty
   * - key: chat key of the project; left out: a signed-in member is needed
   * - before: decided: `seq`; the newest messages before it
   * - after: decided: `seq`; the oldest messages after it. In a loop: every message once
   * - q: decided: part of a text or of the name of an author, in any case
   * - restream_id: decided: messages of this restream only
   * - total: messages of the broadcast, without filters
   * - items: oldest first; without `after` the newest. Fewer than `limit` where they are larger than 1 MB
   * - more: decided: messages follow, after the last item with `after`, else before the first one
   */
  'chat.chat.messages': {
    input: {
      key?: string | undefined
      broadcast_id: number
      limit?: number | undefined
      before?: number | undefined
      after?: number | undefined
      q?: string | undefined
      restream_id?: number | undefined
      hidden?: boolean | undefined
    }
    output: { total: number; items: ChatMessage[]; more?: boolean; rev: number }
  }
  /**
   * List changes of messages. `GET /method/chat/changes`, scope `chat:read`.
   * - event_id: UUID of the message
   * - seq: decided: position in the broadcast; grows with each message, with gaps where messages are hidden
   * - rev: decided: number of its last change in the broadcast; at first `seq`
   * - text: plain text: insert it as text, never as HTML
   * - created_at: time at the platform; the order is that of `seq`
   * - paid: decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)
   * - hidden: decided: why overlays do not get it; null: visible
   * - late: decided: received after a gap, older than messages before it
   * - deleted: decided: removed; the text is empty
   * - key: chat key of the project; left out: a signed-in member is needed
   * - after: number of the last change that the client has
   * - items: messages as they are now, by `rev`; a deleted or hidden one is `{event_id, rev, gone: true}`
   * - starred: `event_id` of the message that overlays show until it is cleared
   * - star_rev: number of the last change of the star
   * - upto: the answer has all changes up to this number
   * - last: number of the last change of the broadcast; larger than `upto`: call again with `after` = `upto`
   */
  'chat.chat.changes': {
    input: { key?: string | undefined; broadcast_id: number; after: number; limit?: number | undefined }
    output: {
      items: Array<ChatMessage | ChatTombstone>
      starred: string | null
      star_rev: number
      upto: number
      last: number
    }
  }
  /**
   * Send message. `POST /method/chat/messages`, scope `chat:control`.
   * - event_id: UUID of the message
   * - seq: decided: position in the broadcast; grows with each message, with gaps where messages are hidden
   * - rev: decided: number of its last change in the broadcast; at first `seq`
   * - text: plain text: insert it as text, never as HTML
   * - created_at: time at the platform; the order is that of `seq`
   * - paid: decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)
   * - hidden: decided: why overlays do not get it; null: visible
   * - late: decided: received after a gap, older than messages before it
   * - deleted: decided: removed; the text is empty
   * - key: chat key with the right to write; a key that only reads needs an editor’s session beside it
   * - id: id of the client: the same id with the same content returns the same message
   * - restreams: left out or empty: all chats that can be written to
   * - reply_to: decided: `event_id` of the message that this one answers; sent as an answer where the platform can
   */
  'chat.chat.send': {
    input: {
      key?: string | undefined
      broadcast_id: number
      id: string
      text: string
      restreams?: number[] | undefined
      reply_to?: string | undefined
    }
    output: ChatMessage
  }
  /**
   * Send a message again to a restream that refused it. `POST /method/chat/messages/again`, scope `chat:control`.
   * - event_id: UUID of the message
   * - seq: decided: position in the broadcast; grows with each message, with gaps where messages are hidden
   * - rev: decided: number of its last change in the broadcast; at first `seq`
   * - text: plain text: insert it as text, never as HTML
   * - created_at: time at the platform; the order is that of `seq`
   * - paid: decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)
   * - hidden: decided: why overlays do not get it; null: visible
   * - late: decided: received after a gap, older than messages before it
   * - deleted: decided: removed; the text is empty
   * - key: chat key of the project; left out: a signed-in member is needed
   * - restream_id: its state has to be `failed`
   */
  'chat.chat.again': {
    input: { key?: string | undefined; broadcast_id: number; event_id: string; restream_id: number }
    output: ChatMessage
  }
  /**
   * Remove message. `POST /method/chat/messages/delete`, scope `chat:write`.
   * - key: chat key with the right to write; a key that only reads needs an editor’s session beside it
   * - results: decided: `platform`: deleted there and here; `here`: the platform has no such command; `failed`: the platform refused, deleted here only
   */
  'chat.chat.remove': {
    input: { key?: string | undefined; broadcast_id: number; event_id: string }
    output: {
      success: boolean
      results: Array<{ restream_id: number; done: 'platform' | 'here' | 'failed'; error?: string }>
    }
  }
  /**
   * Get one message. `GET /method/chat/messages/message`, scope `chat:read`.
   * - event_id: UUID of the message
   * - seq: decided: position in the broadcast; grows with each message, with gaps where messages are hidden
   * - rev: decided: number of its last change in the broadcast; at first `seq`
   * - text: plain text: insert it as text, never as HTML
   * - created_at: time at the platform; the order is that of `seq`
   * - paid: decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)
   * - hidden: decided: why overlays do not get it; null: visible
   * - late: decided: received after a gap, older than messages before it
   * - deleted: decided: removed; the text is empty
   * - key: chat key of the project; left out: a signed-in member is needed
   */
  'chat.chat.message': {
    input: { key?: string | undefined; broadcast_id: number; event_id: string }
    output: ChatMessage
  }
  /**
   * Get the key of the chat. `GET /method/chat/key`, scope `chat:write`.
   * - key: the first key that only reads; its holder can read the chat
   */
  'chat.chat.key': {
    input: { project_id: number }
    output: { key: string }
  }
  /**
   * Get abilities of each chat. `GET /method/chat/capabilities`, scope `chat:read`.
   * - key: chat key of the project, also instead of `project_id`; left out: a signed-in member is needed
   * - broadcast_id: left out: the broadcast on air, else the last one of the project
   * - may_write: whether the caller may send and moderate
   * - hold_back: seconds that overlays wait before they show a message
   * - starred: `event_id` of the message that overlays show until it is cleared
   * - star_rev: number of the last change of the star: ignore a `starred` with a smaller `rev`
   * - reason: why the chat is not read; null: it is
   * - until: time of the next attempt to read
   * - gap_since: messages since this time may be missing
   * - restricts: `timeout`: bans, also for a time
   * - timeout_max: seconds
   * - text_max: characters of a message
   * - needs: what would give the chat more abilities; null: nothing is missing
   * - popout_url: chat at the platform
   */
  'chat.chat.capabilities': {
    input: { key?: string | undefined; broadcast_id?: number | undefined; project_id?: number | undefined }
    output: {
      broadcast_id: number | null
      on_air: boolean
      may_write: boolean
      hold_back: number
      starred: string | null
      star_rev: number
      results: ChatCapability[]
    }
  }
  /**
   * Keep the chats of a project read. `POST /method/chat/watch`, scope `chat:read`.
   * - key: chat key of the project, also instead of `project_id`; left out: a signed-in member is needed
   * - broadcast_id: left out: the broadcast on air, else the last one of the project
   * - until: call again before it; each 60 seconds is enough
   */
  'chat.chat.watch': {
    input: { key?: string | undefined; broadcast_id?: number | undefined; project_id?: number | undefined }
    output: { broadcast_id: number | null; until: string }
  }
  /**
   * Publish a sample message. `POST /method/chat/test`, scope `chat:write`.
   * - key: chat key with the right to write; left out: an editor is needed
   * - broadcast_id: left out: the broadcast on air, else the last one of the project
   * - seq: 0: the sample is published to open overlays and pages, and not stored
   */
  'chat.chat.test': {
    input: { key?: string | undefined; broadcast_id?: number | undefined; project_id?: number | undefined }
    output: ChatMessage
  }
  /**
   * Get list of chat keys. `GET /method/chat/keys`, scope `chat:read`.
   * - hint: last four signs of the key
   * - date_use: last use, to the minute
   */
  'chat.keys.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        id: number
        name: string
        rights: 'read' | 'write'
        hint: string
        date_create: string
        date_use: string | null
      }>
    }
  }
  /**
   * Add a chat key. `POST /method/chat/keys`, scope `chat:write`.
   * - rights: a key with `write` needs an owner
   * - key: shown once
   */
  'chat.keys.add': {
    input: { project_id: number; name: string; rights?: 'read' | 'write' | undefined }
    output: {
      id: number
      name: string
      rights: 'read' | 'write'
      hint: string
      date_create: string
      date_use: string | null
      key: string
    }
  }
  /**
   * Revoke a chat key. `POST /method/chat/keys/remove`, scope `chat:write`.
   * - key_id: a key with `write` needs an owner; open connections end within a second
   */
  'chat.keys.remove': {
    input: { project_id: number; key_id: number }
    output: { success: boolean }
  }
  /**
   * Moderate a message or an author. `POST /method/chat/moderate`, scope `chat:write`.
   * - key: chat key with the right to write; left out: an editor is needed
   * - event_id: a message, or the author of it; else `restream_id` and `sender_id`
   * - act: `hide` and `show` change nothing at the platform: of a message with `event_id`, else of all messages of the author
   * - seconds: of a timeout
   * - until: end of the timeout
   */
  'chat.moderate.act': {
    input: {
      key?: string | undefined
      broadcast_id: number
      event_id?: string | undefined
      restream_id?: number | undefined
      sender_id?: string | undefined
      act: 'timeout' | 'untimeout' | 'ban' | 'unban' | 'hide' | 'show'
      seconds?: number | undefined
    }
    output: { done: boolean; until?: string }
  }
  /**
   * Show a message in the overlay until it is cleared. `POST /method/chat/star`, scope `chat:write`.
   * - key: chat key with the right to write; left out: an editor is needed
   * - event_id: replaces the message that is shown; left out: clears it. Deleting or hiding the message clears it too
   * - star_rev: number of the change in the broadcast
   */
  'chat.moderate.star': {
    input: { key?: string | undefined; broadcast_id: number; event_id?: string | undefined }
    output: { event_id: string | null; star_rev: number }
  }
  /**
   * Get log of moderation. `GET /method/chat/moderate/log`, scope `chat:read`.
   * - results: newest first, at most 200
   * - by: the user, or the chat key, by its name
   * - error: why the platform refused
   */
  'chat.moderate.log': {
    input: { project_id: number; broadcast_id: number }
    output: {
      results: Array<{
        id: number
        act: 'timeout' | 'untimeout' | 'ban' | 'unban' | 'hide' | 'show' | 'delete'
        restream_id: number | null
        sender_id: string | null
        sender_name: string
        event_id: string | null
        seconds: number | null
        by: { user_id: number | null; key_id: number | null; name: string }
        error: string | null
        created_at: string
      }>
    }
  }
  /**
   * Forget an author. `POST /method/chat/forget`, scope `chat:write`.
   * - count: messages of all broadcasts whose text and author were overwritten
   */
  'chat.moderate.forget': {
    input: {
      project_id: number
      platform: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
      sender_id: string
    }
    output: { success: boolean; count: number }
  }
  /**
   * Get settings of the chat. `GET /method/chat/settings`, scope `chat:read`.
   * - words: messages with one of them are hidden, in any case
   * - hide_commands: messages that begin with `!`
   * - hold_back: seconds that overlays wait before they show a message, so that bots can delete it first
   * - keep_days: days until messages are removed; at most the limit of the server
   * - muted: authors whose messages are hidden
   */
  'chat.settings.get': {
    input: { project_id: number }
    output: ChatSettings
  }
  /**
   * Set settings of the chat. `POST /method/chat/settings`, scope `chat:write`.
   * - words: messages with one of them are hidden, in any case
   * - hide_commands: messages that begin with `!`
   * - hold_back: seconds that overlays wait before they show a message, so that bots can delete it first
   * - keep_days: days until messages are removed; at most the limit of the server
   * - muted: authors whose messages are hidden
   * - mute: an author to hide
   * - unmute: an author to show again
   */
  'chat.settings.set': {
    input: {
      project_id: number
      words?: string[] | undefined
      hide_bots?: boolean | undefined
      hide_commands?: boolean | undefined
      hold_back?: number | undefined
      keep_days?: number | undefined
      mute?: {
        platform: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
        sender_id: string
        name: string
      } | undefined
      unmute?: {
        platform: 'youtube' | 'twitch' | 'vk' | 'vkvideolive' | 'ok' | 'trovo' | 'kick' | 'rutube' | 'telegram' | 'fb' | 'instagram' | 'tiktok' | 'steam' | 'linkedin' | 'goodgame' | 'boosty' | 'plvideo' | 'nimotv' | 'navertv' | 'douyu' | 'huya' | 'fc2Live' | 'kinescope' | 'getcourse' | 'bizon' | 'tachid' | 'nonolive' | 'vlive' | 'zhanqitv' | 'custom' | 'srt'
        sender_id: string
      } | undefined
    }
    output: ChatSettings
  }
  /**
   * Get page. `GET /method/help/page/get`, any token.
   * - url: `url_inherit`, or `url` where only one section has it
   * - language: a page that does not exist in it is sent in English; `language_iso` names the language of the text
   * - text: HTML, made from `blocks`
   * - blocks: the text as a tree
   */
  'help.articles.get': {
    input: { url: string }
    output: {
      success: boolean
      result: {
        _id: string
        url_inherit: string
        notion_parent_id: string
        date_create: string
        icon: Record<string, unknown> | null
        url: string
        status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        title: string
        text: string
        date_update: string
        alt_languages: Array<'en' | 'ru' | 'cn'>
        platforms: string[]
        blocks: Array<{ is: string }>
      }
    }
  }
  /**
   * Get list of pages. `GET /method/help/page/search`, any token.
   * - s: words; their beginnings and small errors match. Empty: all articles
   * - text: the first paragraph as HTML
   * - snippet: the place that matches, as plain text
   * - anchor: id of the heading or list item at that place; empty: the beginning
   */
  'help.articles.search': {
    input: { limit?: number | undefined; offset?: number | undefined; s?: string | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        _id: string
        url_inherit: string
        notion_parent_id: string
        date_create: string
        icon: Record<string, unknown> | null
        url: string
        status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        title: string
        text: string
        date_update: string
        alt_languages: Array<'en' | 'ru' | 'cn'>
        snippet: string
        anchor: string
      }>
    }
  }
  /**
   * Get structure of help pages. `GET /method/help/page/structure`, any token.
   * - priority: place among its siblings, from 1
   * - connections: the pages below
   */
  'help.articles.structure': {
    input: Record<string, never>
    output: {
      success: boolean
      result: Array<{
        _id: string
        notion_id: string
        notion_parent_id: string
        url: string
        url_inherit: string
        status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
        title: Array<{ language: 'russian' | 'english' | 'none'; language_iso: 'en' | 'ru' | 'cn'; value: string }>
        icon: Record<string, unknown> | null
        priority: number
        connections?: Array<{
          _id: string
          notion_id: string
          notion_parent_id: string
          url: string
          url_inherit: string
          status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
          title: Array<{ language: 'russian' | 'english' | 'none'; language_iso: 'en' | 'ru' | 'cn'; value: string }>
          icon: Record<string, unknown> | null
          priority: number
          connections?: Array<{
            _id: string
            notion_id: string
            notion_parent_id: string
            url: string
            url_inherit: string
            status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
            title: Array<{ language: 'russian' | 'english' | 'none'; language_iso: 'en' | 'ru' | 'cn'; value: string }>
            icon: Record<string, unknown> | null
            priority: number
            connections?: Array<{
              _id: string
              notion_id: string
              notion_parent_id: string
              url: string
              url_inherit: string
              status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
              title: Array<{ language: 'russian' | 'english' | 'none'; language_iso: 'en' | 'ru' | 'cn'; value: string }>
              icon: Record<string, unknown> | null
              priority: number
            }>
          }>
        }>
      }>
    }
  }
  /**
   * Get page. `GET /method/blog/page/get`, any token.
   * - text: HTML, made from `blocks`
   * - blocks: the text as a tree
   * - total: 0 for an unknown page
   */
  'help.blog-pages.get': {
    input: { url: string }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        _id: string
        url: string
        status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        title: string
        text: string
        date_update: string
        alt_languages: Array<'en' | 'ru' | 'cn'>
        date_publish: string
        tags: Array<{ _id: string; title: string }>
        image: string
        short_text: string
        blocks: Array<{ is: string }>
      }>
    }
  }
  /**
   * Get list of pages. `GET /method/blog/page/list`, any token.
   * - s: words of title, short text or tags; the newest posts first
   * - tag: title of a tag
   * - text: the short text as HTML
   * - image: path of the first image; empty: none
   */
  'help.blog-pages.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      s?: string | undefined
      tag?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        _id: string
        url: string
        status: 'None' | 'Backlog' | 'Drafting' | 'Reviewing' | 'Done' | 'Published'
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        title: string
        text: string
        date_update: string
        alt_languages: Array<'en' | 'ru' | 'cn'>
        date_publish: string
        tags: Array<{ _id: string; title: string }>
        image: string
        short_text: string
      }>
    }
  }
  /**
   * Get list of pages. `GET /method/blog/tag/list`, any token.
   * - s: part of the title
   * - count_use: posts with this tag in this language
   */
  'help.blog-tags.list': {
    input: { limit?: number | undefined; offset?: number | undefined; s?: string | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        _id: string
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        title: string
        count_use: number
      }>
    }
  }
  /**
   * Get policy page. `GET /method/policy/get`, any token.
   * - text: HTML, made from `blocks`
   * - blocks: the text as a tree
   */
  'help.policies.get': {
    input: { file_name: 'refund' | 'terms-of-use' | 'using-cookie' | 'acceptable-use' | 'privacy-notice' }
    output: {
      success: boolean
      result: {
        file_name: 'refund' | 'terms-of-use' | 'using-cookie' | 'acceptable-use' | 'privacy-notice'
        title: string
        text: string
        date_update: string
        language: 'russian' | 'english' | 'none'
        language_iso: 'en' | 'ru' | 'cn'
        alt_languages: Array<'en' | 'ru' | 'cn'>
        blocks: Array<{ is: string }>
      }
    }
  }
  /**
   * Get policy structure. `GET /method/policy/structure`, any token.
   * - results: names of the policies that the operator supplies
   */
  'help.policies.structure': {
    input: Record<string, never>
    output: {
      results: Array<{ results: 'refund' | 'terms-of-use' | 'using-cookie' | 'acceptable-use' | 'privacy-notice' }>
    }
  }
  /**
   * Get current version app. `GET /method/release-app`, any token.
   */
  'help.releases.current': {
    input: { app?: 'cabinet' | undefined }
    output: { name: string; version: string; date: string }
  }
  /**
   * List keys. `GET /method/stream-pull-keys`, scope `broadcasts:write`.
   * - uuid: the key itself; for viewers only its last four signs, and no address
   * - region: decided: city of the pull server; empty: the best one
   * - shareUrl: empty while no pull server has reported
   * - viewers: decided: current number of viewers
   * - bitrate: decided: kbps sent to all viewers
   * - limit: decided: keys that the plan gives
   * - masked: decided: the keys are hidden from this person
   */
  'ingest.pull-keys.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        id: number
        uuid: string
        transport: 'rtmp' | 'srt' | 'hls'
        name: string
        region?: string
        shareUrl: string
        status: 'active' | 'inactive' | 'error'
        viewers?: number
        bitrate?: number
      }>
      limit?: number
      masked?: boolean
    }
  }
  /**
   * Create key. `POST /method/stream-pull-keys`, scope `broadcasts:write`.
   */
  'ingest.pull-keys.create': {
    input: { project_id: number; transport: 'rtmp' | 'srt' | 'hls'; name?: string | undefined }
    output: { id: number }
  }
  /**
   * Update key. `PUT /method/stream-pull-keys`, scope `broadcasts:write`.
   * - key: its uuid
   * - region: city of a pull server; empty: the best one
   */
  'ingest.pull-keys.update': {
    input: { project_id: number; key: string; region?: string | undefined; name?: string | undefined }
    output: { success: boolean }
  }
  /**
   * Delete key. `DELETE /method/stream-pull-keys`, scope `broadcasts:write`.
   * - key: its uuid
   */
  'ingest.pull-keys.remove': {
    input: { project_id: number; key: string }
    output: { success: boolean }
  }
  /**
   * Check key. `GET /method/stream-pull-keys/check`, scope `broadcasts:read`.
   * - key: its uuid
   */
  'ingest.pull-keys.check': {
    input: { project_id: number; key: string }
    output: { transport: 'rtmp' | 'srt' | 'hls'; status: 'active' | 'inactive' | 'error'; key: string }
  }
  /**
   * Get pull servers. `GET /method/pull-servers/list`, any token.
   * - url: `{{key}}` stands for the pull key; null: the transport is not offered
   */
  'ingest.pull-servers.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        city: string
        pingHost: string
        url: { rtmp?: string | null; srt?: string | null; hls?: string | null }
        country: Country
        targetKey?: string
      }>
      reason?: 'none_reported' | 'all_silent' | 'port_taken' | null
      ports?: number[]
    }
  }
  /**
   * Get the remote source. `GET /method/remote-source`, scope `broadcasts:read`.
   * - address: scheme and host; the rest may be a secret
   * - state: `waiting`: for a server that can fetch; `connecting`, `live`, `failed`: it tries again by itself
   * - words: why it failed, from ffmpeg or the service
   */
  'ingest.remote-source.get': {
    input: { project_id: number }
    output: {
      address: string
      is_on: boolean
      state: 'off' | 'waiting' | 'connecting' | 'live' | 'failed'
      words: string
      date_state: string | null
    }
  }
  /**
   * Start the remote source. `POST /method/remote-source/start`, scope `broadcasts:write`.
   * - url: rtmp, rtmps, srt, http or https (HLS, FLV, MPEG-TS, MP4); rtsp where private networks are allowed; left out: the stored one
   */
  'ingest.remote-source.start': {
    input: { project_id: number; url?: string | undefined }
    output: { success: boolean }
  }
  /**
   * Stop the remote source. `POST /method/remote-source/stop`, scope `broadcasts:write`.
   */
  'ingest.remote-source.stop': {
    input: { project_id: number }
    output: { success: boolean }
  }
  /**
   * Remove the remote source. `POST /method/remote-source/del`, scope `broadcasts:write`.
   */
  'ingest.remote-source.remove': {
    input: { project_id: number }
    output: { success: boolean }
  }
  /**
   * List rtmp servers. `GET /method/rtmp_server/list`, scope `broadcasts:read`.
   * - interval: hours
   * - network: percent
   * - cpu: percent
   * - ram: percent
   * - quality: 0 to 100, of the last five minutes
   * - reason: decided: why there is no server, null where there is one
   * - url: version 1: the bare host
   * - index: the best server has 0
   * - silent: it has missed reports
   * - full: it accepts no new broadcasts until its load falls
   * - ffmpeg: it has ffmpeg: stills, MP4, transcoders, HLS and SRT need it
   * - bonding: decided: bonded encoders (SRTLA) may enter by the SRT address
   */
  'ingest.rtmp-servers.list': {
    input: { project_id: number; interval?: 1 | 3 | 6 | 12 | 24 | undefined }
    output: {
      results: Array<{
        id: number
        pool_id: number
        city: string
        country: Country
        urls: { rtmp?: ServerUrl; rtmps?: ServerUrl; srt?: ServerUrl }
        pingHost: string
        index: number
        options: { allowDedicatedServer: boolean }
        url: string
        network: Load
        cpu: Load
        ram: Load
        quality: number
        serverStatus: 'good' | 'problem' | 'bad'
        platforms: Array<{ id: number; quality: number; title: string; status: 'good' | 'problem' | 'bad'; reconnect: number }>
        silent?: boolean
        full?: boolean
        ffmpeg?: boolean
        bonding?: boolean
      }>
      reason?: 'none_reported' | 'all_silent' | 'port_taken' | null
      ports?: number[]
    }
  }
  /**
   * List rtmp servers without their load. `GET /method/rtmp_server/base-list`, any token.
   * - reason: decided: why there is no server, null where there is one
   */
  'ingest.rtmp-servers.baseList': {
    input: Record<string, never>
    output: {
      results: Array<{
        id: number
        pool_id: number
        city: string
        country: Country
        urls: { rtmp?: ServerUrl; rtmps?: ServerUrl; srt?: ServerUrl }
        pingHost: string
        index: number
        options: { allowDedicatedServer: boolean }
      }>
      reason?: 'none_reported' | 'all_silent' | 'port_taken' | null
      ports?: number[]
    }
  }
  /**
   * State of rtmp servers. `GET /method/rtmp_server/state`, any token.
   * - interval: hours
   * - network: percent
   * - cpu: percent
   * - ram: percent
   * - quality: 0 to 100, of the last five minutes
   * - reason: decided: why there is no server, null where there is one
   */
  'ingest.rtmp-servers.state': {
    input: { interval?: 1 | 3 | 6 | 12 | 24 | undefined }
    output: {
      results: Array<{
        city: string
        country: Country
        lat: number
        long: number
        network: Load
        cpu: Load
        ram: Load
        quality: number
        serverStatus: 'good' | 'problem' | 'bad'
        platforms: Array<{ id: number; quality: number; title: string; status: 'good' | 'problem' | 'bad'; reconnect: number }>
      }>
      reason?: 'none_reported' | 'all_silent' | 'port_taken' | null
      ports?: number[]
    }
  }
  /**
   * Graph of rtmp servers. `GET /method/rtmp_server/graph`, any token.
   * - interval: hours
   * - timeLine: Unix seconds: where each of the 60 stretches begins
   * - chartData: percent; null where nothing was reported
   */
  'ingest.rtmp-servers.graph': {
    input: {
      interval?: 1 | 3 | 6 | 12 | 24 | undefined
      type?: 'performance' | 'network' | 'cpu' | 'ram' | 'deliveredPackages' | undefined
    }
    output: {
      type: 'performance' | 'network' | 'cpu' | 'ram' | 'deliveredPackages'
      timeLine: number[]
      countries: Array<{ countryName: string; cities: Array<{ cityName: string; chartData: Array<number | null> }> }>
    }
  }
  /**
   * Whether servers take streams. `GET /method/rtmp_server/up`, any token.
   * - up: at least one server is not bad
   * - date_report: time of the last report of a server
   */
  'ingest.rtmp-servers.up': {
    input: Record<string, never>
    output: {
      up: boolean
      reason: 'none_reported' | 'all_silent' | 'port_taken' | null
      servers: { total: number; good: number; problem: number; bad: number }
      date_report: string | null
    }
  }
  /**
   * Locations list for unauthorized users. `GET /method/rtmp_server/list_locations_unauthorized`, any token.
   * - host: where a browser measures the latency
   * - url: of the RTMP server
   */
  'ingest.rtmp-servers.locations': {
    input: Record<string, never>
    output: { results: Array<{ name: string; host: string; url: string }> }
  }
  /**
   * Latency to set for SRT. `GET /method/rtmp_server/srt-latency`, any token.
   * - dst_ip: `pingHost` of a server
   * - rtt: there and back as the caller measured it, milliseconds
   * - latency: milliseconds; null when the server is unknown or nothing was measured
   * - stale: the server has not reported lately
   */
  'ingest.rtmp-servers.srtLatency': {
    input: { dst_ip: string; rtt?: number | undefined; profile?: 'low' | 'normal' | 'safe' | undefined }
    output: {
      src_ip: string
      dst_ip: string
      profile: 'low' | 'normal' | 'safe'
      latency: number | null
      found: boolean
      stale: boolean
      generated_at: string | null
      message: string
    }
  }
  /**
   * Get stream credentials. `GET /method/stream-keys`, scope `broadcasts:write`.
   * - key: whole for editors; for viewers only its last four signs, and then
   * - masked: is true (decided)
   * - wait: minutes that channels wait for a lost encoder; 0: the broadcast ends immediately
   * - hold: decided: channels wait also after the encoder ended the stream itself
   * - wait_max_minutes: longest wait of the plan
   * - quality: decided: when a poor main encoder gives way to the backup; null: never
   */
  'ingest.stream-keys.get': {
    input: { project_id: number }
    output: {
      key: string
      masked?: boolean
      record: boolean
      wait?: number | null
      hold?: boolean
      wait_max_minutes?: number | null
      pause_media_service_file_id?: number | null
      lost_media_service_file_id?: number | null
      quality?: { kbps: number; ms: number; back_kbps: number; back_ms: number } | null
    }
  }
  /**
   * Update record. `POST /method/stream-keys/record`, scope `broadcasts:write`.
   */
  'ingest.stream-keys.setRecord': {
    input: { project_id: number; record: boolean }
    output: { success: boolean }
  }
  /**
   * Replace the stream key. `POST /method/stream-keys/rotate`, scope `broadcasts:write`.
   * - key: the new one; the old one is good for nothing from now on
   */
  'ingest.stream-keys.rotate': {
    input: { project_id: number }
    output: { key: string }
  }
  /**
   * Set how long channels wait for a lost encoder. `PUT /method/stream-keys/wait`, scope `broadcasts:write`.
   * - wait_minutes: 0: the broadcast ends immediately; maximum `wait_max_minutes`
   * - hold: decided: also after the encoder ended the stream itself; default: true unless `wait_minutes` is 0
   */
  'ingest.stream-keys.setWait': {
    input: { project_id: number; wait_minutes: number; hold?: boolean | undefined }
    output: { success: boolean }
  }
  /**
   * Set when a poor encoder gives way to the backup. `PUT /method/stream-keys/quality`, scope `broadcasts:write`.
   * - quality: bitrates in kbps, times in milliseconds; null: never
   */
  'ingest.stream-keys.setQuality': {
    input: { project_id: number; quality: { kbps: number; ms: number; back_kbps: number; back_ms: number } | null }
    output: { success: boolean }
  }
  /**
   * Get the address of the encoder statistics. `GET /method/stream-keys/stats`, scope `broadcasts:write`.
   * - url: a secret: JSON with the figures of the encoder, in the form of SRT Live Server
   */
  'ingest.stream-keys.stats': {
    input: { project_id: number }
    output: { url: string }
  }
  /**
   * Replace the address of the encoder statistics. `POST /method/stream-keys/stats/rotate`, scope `broadcasts:write`.
   * - url: the new one; the old one is good for nothing from now on
   */
  'ingest.stream-keys.rotateStats': {
    input: { project_id: number }
    output: { url: string }
  }
  /**
   * List. `GET /method/transcoder/list`, scope `broadcasts:read`.
   * - vBitrate: kbps
   * - aBitrate: kbps
   * - rotation: 1: a quarter to the right, 2: to the left
   * - delay: seconds
   * - channelIds: channels that get its output, and no others; left out: nothing changes; one number: that channel
   * - status: `inactive`: it was stopped, and its channels get nothing
   * - state: null: the project is not on air
   * - state.bitrate: kbps of the output
   * - state.delay: seconds between input and output
   * - state.reason: decided: why it does not run
   * - limit: decided: transcoders that a project may have
   * - codecs: decided: codecs that the ingest servers can encode
   * - reason: decided: why no server can, null where one can
   */
  'ingest.transcoders.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        id: number
        name: string
        createdAt: string
        width?: number
        height?: number
        fps?: number
        vBitrate?: number
        aBitrate?: number
        rotation?: number
        bFrames?: number
        status: 'active' | 'inactive'
        videoCodec: 'h264' | 'hevc'
        channels: Array<{
          group_id: number
          name: string
          type: string
          active: boolean
          photo_default: string | null
          live: number
          status: string
          user_id: number | null
          transcoderId: number
        }>
        delay: number
        preset: string
        state?: {
          status: 'active' | 'inactive'
          bitrate: number
          delay: number
          start_at: string
          source_connected: boolean
          transcoder_running: boolean
          target_connected: boolean
          restarts?: number
          reason?: 'no_ffmpeg' | 'no_codec' | 'no_slot' | 'crashed' | 'plan' | null
          on_card?: boolean
        } | null
        mode: 'custom' | 'twitch'
      }>
      limit?: number
      codecs?: Array<'h264' | 'hevc'>
      reason?: 'no_servers' | 'no_ffmpeg' | null
    }
  }
  /**
   * create. `POST /method/transcoder/add`, scope `broadcasts:write`.
   * - vBitrate: kbps
   * - aBitrate: kbps
   * - rotation: 1: a quarter to the right, 2: to the left
   * - delay: seconds
   * - channelIds: channels that get its output, and no others; left out: nothing changes; one number: that channel
   * - mode: `twitch`: within the limits of Twitch
   * - videoCodec: default: h264
   */
  'ingest.transcoders.add': {
    input: {
      project_id: number
      name: string
      mode?: 'custom' | 'twitch' | undefined
      width?: number | undefined
      height?: number | undefined
      fps?: number | undefined
      vBitrate?: number | undefined
      aBitrate?: number | undefined
      rotation?: number | undefined
      bFrames?: number | undefined
      videoCodec?: 'h264' | 'hevc' | undefined
      preset?: 'ultrafast' | 'superfast' | 'veryfast' | 'faster' | 'fast' | 'medium' | undefined
      delay?: number | undefined
      channelIds?: number[] | number | undefined
    }
    output: number
  }
  /**
   * update. `POST /method/transcoder/update`, scope `broadcasts:write`.
   * - vBitrate: kbps
   * - aBitrate: kbps
   * - rotation: 1: a quarter to the right, 2: to the left
   * - delay: seconds
   * - channelIds: channels that get its output, and no others; left out: nothing changes; one number: that channel
   * - width: without it, like the other video settings, the source value
   * - videoCodec: left out: stays
   */
  'ingest.transcoders.update': {
    input: {
      project_id: number
      transcoder_id: number
      name?: string | undefined
      width?: number | undefined
      height?: number | undefined
      fps?: number | undefined
      vBitrate?: number | undefined
      aBitrate?: number | undefined
      rotation?: number | undefined
      bFrames?: number | undefined
      videoCodec?: 'h264' | 'hevc' | undefined
      preset?: 'ultrafast' | 'superfast' | 'veryfast' | 'faster' | 'fast' | 'medium' | undefined
      delay?: number | undefined
      channelIds?: number[] | number | undefined
    }
    output: { success: boolean }
  }
  /**
   * delete. `POST /method/transcoder/delete`, scope `broadcasts:write`.
   * - transcoder_id: its channels receive the unchanged stream
   */
  'ingest.transcoders.remove': {
    input: { project_id: number; transcoder_id: number }
    output: { success: boolean }
  }
  /**
   * stop. `POST /method/transcoder/stop`, scope `broadcasts:write`.
   * - transcoder_id: its channels receive nothing until it is started
   */
  'ingest.transcoders.stop': {
    input: { project_id: number; transcoder_id: number }
    output: { success: boolean }
  }
  /**
   * start. `POST /method/transcoder/start`, scope `broadcasts:write`.
   * - transcoder_id: one that was stopped
   */
  'ingest.transcoders.start': {
    input: { project_id: number; transcoder_id: number }
    output: { success: boolean }
  }
  /**
   * Reset delay. `POST /method/transcoder/reset-delay`, scope `broadcasts:write`.
   * - transcoder_id: drops the buffered input; the delay becomes 0
   */
  'ingest.transcoders.resetDelay': {
    input: { project_id: number; transcoder_id: number }
    output: { success: boolean }
  }
  /**
   * Get media files. `GET /method/media-service-files/list`, scope `broadcasts:read`.
   * - kind: `picture`: JPEG or PNG; `film`: uploaded in parts, then prepared as MP4
   * - size: bytes; of a film that is processed: those of the upload
   * - duration: seconds; 0: a picture, or unknown
   * - width: pixels; 0: unknown
   * - height: pixels; 0: unknown
   * - step: while `status` is `processing`; `waiting`: for a server with ffmpeg
   * - done: percent of the step, while `status` is `processing`
   * - error: why a film failed; `too-costly`: more time or memory than allowed, `no-space`: the prepared film exceeds the space, `missing`: its file is gone
   * - thumbnail: URL of a picture; empty: none yet
   * - video: path of the film below the root of the service, valid for an hour; empty: a picture, or not ready
   * - isDisabled: cannot be chosen for a pause or a lost encoder: a film that is not ready, too long, or too large for all servers
   * - servers: of a ready film: `none`: no server has room for it, so no schedule and no choice takes it; `some`: others skip it; left out: all, or unknown (decided)
   * - event_channel: realtime channel of a film that is processed
   */
  'media.files.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        media_id: number
        kind: 'picture' | 'film'
        name: string
        content_type: string
        size: number
        duration: number
        width: number
        height: number
        status: 'processing' | 'success' | 'cancel' | 'error'
        step?: 'uploading' | 'waiting' | 'preparing'
        done?: number
        error?: 'unreadable' | 'no-video' | 'too-large' | 'too-long' | 'too-costly' | 'no-space' | 'missing'
        thumbnail: string
        video: string
        isEditable: boolean
        isDisabled: boolean
        servers?: 'some' | 'none'
        created_at: string
        event_channel?: string
      }>
    }
  }
  /**
   * Get media file. `GET /method/media-service-files/get`, scope `broadcasts:read`.
   * - kind: `picture`: JPEG or PNG; `film`: uploaded in parts, then prepared as MP4
   * - size: bytes; of a film that is processed: those of the upload
   * - duration: seconds; 0: a picture, or unknown
   * - width: pixels; 0: unknown
   * - height: pixels; 0: unknown
   * - step: while `status` is `processing`; `waiting`: for a server with ffmpeg
   * - done: percent of the step, while `status` is `processing`
   * - error: why a film failed; `too-costly`: more time or memory than allowed, `no-space`: the prepared film exceeds the space, `missing`: its file is gone
   * - thumbnail: URL of a picture; empty: none yet
   * - video: path of the film below the root of the service, valid for an hour; empty: a picture, or not ready
   * - isDisabled: cannot be chosen for a pause or a lost encoder: a film that is not ready, too long, or too large for all servers
   * - servers: of a ready film: `none`: no server has room for it, so no schedule and no choice takes it; `some`: others skip it; left out: all, or unknown (decided)
   * - event_channel: realtime channel of a film that is processed
   */
  'media.files.get': {
    input: { project_id: number; media_id: number }
    output: {
      media_id: number
      kind: 'picture' | 'film'
      name: string
      content_type: string
      size: number
      duration: number
      width: number
      height: number
      status: 'processing' | 'success' | 'cancel' | 'error'
      step?: 'uploading' | 'waiting' | 'preparing'
      done?: number
      error?: 'unreadable' | 'no-video' | 'too-large' | 'too-long' | 'too-costly' | 'no-space' | 'missing'
      thumbnail: string
      video: string
      isEditable: boolean
      isDisabled: boolean
      servers?: 'some' | 'none'
      created_at: string
      event_channel?: string
    }
  }
  /**
   * Upload a picture. `POST /method/media-service-files/upload`, scope `broadcasts:write`.
   * - kind: `picture`: JPEG or PNG; `film`: uploaded in parts, then prepared as MP4
   * - size: bytes; of a film that is processed: those of the upload
   * - duration: seconds; 0: a picture, or unknown
   * - width: pixels; 0: unknown
   * - height: pixels; 0: unknown
   * - step: while `status` is `processing`; `waiting`: for a server with ffmpeg
   * - done: percent of the step, while `status` is `processing`
   * - error: why a film failed; `too-costly`: more time or memory than allowed, `no-space`: the prepared film exceeds the space, `missing`: its file is gone
   * - thumbnail: URL of a picture; empty: none yet
   * - video: path of the film below the root of the service, valid for an hour; empty: a picture, or not ready
   * - isDisabled: cannot be chosen for a pause or a lost encoder: a film that is not ready, too long, or too large for all servers
   * - servers: of a ready film: `none`: no server has room for it, so no schedule and no choice takes it; `some`: others skip it; left out: all, or unknown (decided)
   * - event_channel: realtime channel of a film that is processed
   * - file: JPEG or PNG, at most 5 MB and 4096 pixels a side
   */
  'media.files.upload': {
    input: { project_id: number; name: string; file: Blob }
    output: {
      media_id: number
      kind: 'picture' | 'film'
      name: string
      content_type: string
      size: number
      duration: number
      width: number
      height: number
      status: 'processing' | 'success' | 'cancel' | 'error'
      step?: 'uploading' | 'waiting' | 'preparing'
      done?: number
      error?: 'unreadable' | 'no-video' | 'too-large' | 'too-long' | 'too-costly' | 'no-space' | 'missing'
      thumbnail: string
      video: string
      isEditable: boolean
      isDisabled: boolean
      servers?: 'some' | 'none'
      created_at: string
      event_channel?: string
    }
  }
  /**
   * Add a film. `POST /method/media-service-files/add`, scope `broadcasts:write`.
   * - name: empty: the name of the uploaded file (decided)
   * - media_id: of the film, whose upload `session` allows (decided)
   */
  'media.files.add': {
    input: { project_id: number; name?: string | undefined }
    output: { success: boolean; media_id: number }
  }
  /**
   * Get permission to upload a film. `GET /method/media-service-files/session`, scope `broadcasts:write`.
   * - project_id: that of the film; the caller is an editor of it
   * - file_id: name of the upload
   * - channel: realtime channel of the progress
   * - token: of that channel
   * - upload_url: path of uploads by tus 1.0 below the root of the service; `<upload_url>/<file_id>` once it has begun (decided)
   * - ticket: header `Upload-Ticket` of each request of the upload (decided)
   * - space: bytes that are left (decided)
   * - expires_at: of the ticket (decided)
   */
  'media.files.session': {
    input: { project_id?: number | undefined; media_id: number }
    output: {
      file_id: string
      channel: string
      token: string
      upload_url: string
      ticket: string
      space: number
      expires_at: string
    }
  }
  /**
   * Rename media file. `POST /method/media-service-files/update`, scope `broadcasts:write`.
   */
  'media.files.update': {
    input: { project_id: number; media_id: number; name: string }
    output: { success: boolean }
  }
  /**
   * Choose the media file for a pause or a lost encoder. `POST /method/media-service-files/set`, scope `broadcasts:write`.
   * - media_id: 0: none (decided); a film is at most five minutes long
   */
  'media.files.set': {
    input: { project_id: number; media_id: number; type: 'pause' | 'lost' }
    output: { success: boolean }
  }
  /**
   * Cancel the upload or preparation of a film. `POST /method/media-service-files/cancel`, scope `broadcasts:write`.
   * - media_id: its space is free, and it stays in the list until it is deleted
   */
  'media.files.cancel': {
    input: { project_id: number; media_id: number }
    output: { success: boolean }
  }
  /**
   * Delete media file. `POST /method/media-service-files/delete`, scope `broadcasts:write`.
   * - media_id: where it is chosen, nothing is chosen any more; a film that plays is refused
   */
  'media.files.remove': {
    input: { project_id: number; media_id: number }
    output: { success: boolean }
  }
  /**
   * Begin the upload of a video. `GET /method/video/create`, scope `broadcasts:write`.
   * - name: empty: the name of the uploaded file (decided)
   * - url: path of uploads by tus 1.0 below the root of the service
   * - token: of `channel`
   * - channel: realtime channel of the progress
   * - space: bytes that are left
   * - file_id: name of the upload: `<url>/<file_id>` once it has begun (decided)
   * - ticket: header `Upload-Ticket` of each request of the upload (decided)
   * - expires_at: of the ticket (decided)
   */
  'media.videos.create': {
    input: { project_id: number; name?: string | undefined }
    output: {
      status: 'success'
      success: boolean
      url: string
      token: string
      channel: string
      space: number
      id: number
      file_id: string
      ticket: string
      expires_at: string
    }
  }
  /**
   * Get realtime channel of a video. `GET /method/video/progress-channel`, scope `broadcasts:read`.
   * - token: of `channel`
   */
  'media.videos.progress': {
    input: { project_id: number; id: number }
    output: { id: number; token: string; channel: string }
  }
  /**
   * Get videos. `GET /method/video/list`, scope `broadcasts:read`.
   * - id: of a film: its `media_id`; recordings have numbers above 1,000,000,000 (decided)
   * - kind: `upload`: a film of the library; `recording`: of a broadcast (decided)
   * - albumId: 0: there are no albums
   * - duration: seconds; 0: unknown
   * - size: bytes
   * - width: pixels; 0: unknown
   * - height: pixels; 0: unknown
   * - previewPhotoSmall: URL of a picture; empty: none
   * - playlist: empty
   * - user_id: who added it; 0: unknown
   * - download: path of the file below the root of the service, valid for an hour; missing: its server is not connected
   */
  'media.videos.list': {
    input: { project_id: number; limit?: number | undefined; offset?: number | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        kind: 'upload' | 'recording'
        albumId: number
        name: string
        duration: number
        size: number
        width: number
        height: number
        previewPhotoSmall: string
        playlist: string
        status: string
        user_id: number
        created_at: string
        download?: string
      }>
    }
  }
  /**
   * Get video. `GET /method/video/get`, scope `broadcasts:read`.
   * - id: of a film: its `media_id`; recordings have numbers above 1,000,000,000 (decided)
   * - kind: `upload`: a film of the library; `recording`: of a broadcast (decided)
   * - albumId: 0: there are no albums
   * - duration: seconds; 0: unknown
   * - size: bytes
   * - width: pixels; 0: unknown
   * - height: pixels; 0: unknown
   * - previewPhotoSmall: URL of a picture; empty: none
   * - playlist: empty
   * - user_id: who added it; 0: unknown
   * - download: path of the file below the root of the service, valid for an hour; missing: its server is not connected
   */
  'media.videos.get': {
    input: { project_id: number; id: number }
    output: {
      id: number
      kind: 'upload' | 'recording'
      albumId: number
      name: string
      duration: number
      size: number
      width: number
      height: number
      previewPhotoSmall: string
      playlist: string
      status: string
      user_id: number
      created_at: string
      download?: string
    }
  }
  /**
   * Get space of videos. `GET /method/video/limits`, scope `broadcasts:read`.
   * - video_limit: bytes that the tariff gives
   * - video_current: bytes that films and recordings take, and uploads reserve
   * - removing_at: when the oldest recordings are deleted, because they exceed the space; missing: never
   */
  'media.videos.limits': {
    input: { project_id: number }
    output: { video_limit: number; video_current: number; removing_at?: string }
  }
  /**
   * Get address of a video. `GET /method/video/download`, scope `broadcasts:read`.
   * - url: path below the root of the service, with ranges; opens this file only, for the caller, while the caller has the right
   * - size: bytes
   * - expires_at: until when it may be fetched (decided)
   */
  'media.videos.download': {
    input: { project_id: number; id: number }
    output: { url: string; name: string; size: number; expires_at: string }
  }
  /**
   * Rename a video. `POST /method/video/update`, scope `broadcasts:write`.
   */
  'media.videos.update': {
    input: { project_id: number; id: number; name: string }
    output: { success: boolean }
  }
  /**
   * Delete a video. `POST /method/video/delete`, scope `broadcasts:write`.
   * - id: a video that plays, or a recording in progress, is refused
   */
  'media.videos.remove': {
    input: { project_id: number; id: number }
    output: { success: boolean }
  }
  /**
   * Get webhooks of the calling program. `GET /method/webhook/app/list`, any token.
   */
  'notifications.app-webhooks.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        webhook_id: number
        url: string
        is_on: boolean
        date_create: string
        date_failing: string | null
        date_old_end: string | null
        program: string | null
      }>
      limit: number
    }
  }
  /**
   * Add webhook of the calling program. `POST /method/webhook/app/add`, any token.
   * - url: public HTTPS address; redirects are not followed
   * - secret: `whsec_…`, shown once
   * - project_id: receives the facts that the scopes of the token and the role of its user allow, until the token ends
   */
  'notifications.app-webhooks.add': {
    input: { project_id: number; url: string }
    output: {
      webhook_id: number
      url: string
      is_on: boolean
      date_create: string
      date_failing: string | null
      date_old_end: string | null
      program: string | null
      secret: string
    }
  }
  /**
   * Remove webhook of the calling program. `POST /method/webhook/app/del`, any token.
   */
  'notifications.app-webhooks.del': {
    input: { project_id: number; webhook_id: number }
    output: { success: boolean }
  }
  /**
   * Get list of my notifications. `GET /method/notify_history/list`, scope `profile:read`.
   * - project_id: left out: all projects of the caller
   * - channel: notifications sent to this channel; left out: those of the dashboard (`cabinet`)
   * - date_from: from this moment on
   * - date_to: before this moment
   * - category: decided: important or stream
   * - actions: lists of buttons by `group_id`
   * - link: decided: path of the dashboard that the notification leads to
   * - deliveries: decided: state of each delivery outside the dashboard
   */
  'notifications.history.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      project_id?: number | undefined
      name?: 'high_bitrate' | 'request_access_channel' | 'request_access_project' | 'promocode_test' | 'stream_test' | 'plan_restream_expires' | 'plan_restream_expired' | 'plan_restream_renewed' | 'plan_transcoder_expires' | 'plan_transcoder_expired' | 'plan_transcoder_renewed' | 'plan_storage_expires' | 'plan_storage_expired' | 'plan_storage_renewed' | 'broadcast_unsupported_codec' | 'broadcast_unsupported_codec_screen' | 'broadcast_bitrate_exceeded_screen' | 'rtmp_connect_old_server_screen' | 'broadcast_not_audio' | 'broadcast_bitrate_exceeded' | 'broadcast_started' | 'broadcast_stopped' | 'restream_check_twitch_bitrate_1' | 'api_pause_start' | 'api_pause_end' | 'api_wait_edit' | 'api_restream_start' | 'api_restream_stop' | 'api_drop_broadcast' | 'api_drop_broadcast_remove_company' | 'api_drop_broadcast_update_key' | 'publisher_disconnected' | 'publisher_connected' | 'publisher_initializing' | 'publisher_close' | 'broadcast_connected_start' | 'broadcast_connected_end' | 'broadcast_connecting_stream' | 'broadcast_started_new_stream' | 'broadcast_connecting_lost' | 'broadcast_video_lost_start' | 'broadcast_video_lost_end' | 'broadcast_video_pause_start' | 'broadcast_video_pause_end' | 'broadcast_init_restream' | 'start_stream' | 'create_reader' | 'start_channel' | 'stop_channel' | 'stop_stream_video_timeout' | 'stop_stream_no_start_video' | 'stop_stream' | 'delete_reader' | 'transcoder_start' | 'transcoder_stop' | 'start_channel_failed' | 'start_channel_success' | 'api_channel_initializing_start' | 'api_channel_initializing_failed' | 'api_channel_initializing_success' | 'channel_api_update_settings_success' | 'channel_api_update_settings_error' | 'channel_api_update_playlist_success' | 'channel_api_update_playlist_error' | 'channel_api_update_chat_error' | 'channel_api_stream_key_success' | 'channel_api_stream_key_error' | 'channel_api_auto_stop_disable_success' | 'channel_api_auto_stop_disable_error' | 'channel_api_unbinding_stream_key_error' | 'channel_api_create_broadcast_success' | 'channel_api_create_broadcast_error' | 'channel_api_set_planned_success' | 'channel_api_set_planned_error' | 'channel_api_set_thumbnail_success' | 'channel_api_set_thumbnail_error' | 'channel_token_error' | 'channel_api_group_failed' | 'no_audio_reader' | 'restream_check_twitch_bitrate_2' | 'transcoder_support_error_screen' | 'transcoder_tariff_end_screen' | 'transcoder_count_flow_screen' | 'transcoder_resolution_screen' | 'stream_key_banned' | 'broadcast_change_codec' | 'broadcast_change_region' | 'video_upload_error' | 'stop_channel_error' | 'broadcast_user_action_stop' | 'completed_api_channel_error' | 'transcoder_twitch_tracks' | 'stream_unhealthy' | 'channel_not_seen' | 'schedule_missed' | 'schedule_failed' | 'payment_failed' | 'plan_renewal_ahead' | 'plan_renewal_failed' | 'storage_nearly_full' | 'recordings_removal' | 'new_sign_in' | 'webhook_stopped' | 'channel_unreachable' | 'notification_test' | 'payment_refunded' | 'payment_disputed' | 'payment_dispute_won' | 'payment_dispute_lost' | 'payment_refund_failed' | 'invoice_issued' | 'balance_credited' | 'debt_opened' | 'plan_given' | 'plan_changed' | 'payout_sent' | 'payout_refused' | 'project_suspended' | 'project_resumed' | 'operator_transfer' | 'operator_payout' | 'operator_review' | 'operator_dispute' | 'operator_receipt' | 'operator_job' | 'operator_backup' | undefined
      channel?: 'telegram' | 'cabinet' | 'mobile' | 'email' | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      status_read?: 'unread' | 'read' | undefined
      category?: 'important' | 'stream' | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        _id: string
        id: string
        project_id: number
        date_create: string
        actions: Record<string, NotifyAction[]>
        channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
        text: NotifyText[]
        status_read: boolean
        category: 'important' | 'stream'
        name: string
        level: 'debug' | 'info' | 'warning' | 'error'
        link: string | null
        deliveries: Array<{
          channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
          state: 'waiting' | 'sent' | 'failed' | 'skipped' | 'unknown'
          date: string | null
        }>
      }>
    }
  }
  /**
   * Get item by id. `GET /method/notify_history/get`, scope `profile:read`.
   */
  'notifications.history.get': {
    input: { _id: string }
    output: {
      _id: string
      id: string
      project_id: number
      date_create: string
      actions: Record<string, NotifyAction[]>
      channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
      text: NotifyText[]
      status_read: boolean
      category: 'important' | 'stream'
      name: string
      level: 'debug' | 'info' | 'warning' | 'error'
      link: string | null
      deliveries: Array<{
        channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
        state: 'waiting' | 'sent' | 'failed' | 'skipped' | 'unknown'
        date: string | null
      }>
    }
  }
  /**
   * Get unread status. `GET /method/notify_history/get_status`, scope `profile:read`.
   * - count_unread: unread notifications of the dashboard in all projects of the caller
   */
  'notifications.history.getStatus': {
    input: Record<string, never>
    output: { count_unread: number }
  }
  /**
   * Set one as read. `PUT /method/notify_history/read`, scope `profile:write`.
   * - count: number of notifications that were unread; unknown and foreign ids count as none
   */
  'notifications.history.read': {
    input: { notify_history_ids: string[] }
    output: { count: number }
  }
  /**
   * Run action in notify item. `POST /method/notify_history/run_action`, scope `profile:write`.
   * - action_name: links are only marked; accept and decline answer the invitation
   */
  'notifications.history.runAction': {
    input: { notify_history_id: string; action_name: string; group_id: string }
    output: {
      _id: string
      id: string
      project_id: number
      date_create: string
      actions: Record<string, NotifyAction[]>
      channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
      text: NotifyText[]
      status_read: boolean
      category: 'important' | 'stream'
      name: string
      level: 'debug' | 'info' | 'warning' | 'error'
      link: string | null
      deliveries: Array<{
        channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
        state: 'waiting' | 'sent' | 'failed' | 'skipped' | 'unknown'
        date: string | null
      }>
    }
  }
  /**
   * Set all as read. `POST /method/notify_history/set_all_cabinet_read`, scope `profile:write`.
   */
  'notifications.history.setAllCabinetRead': {
    input: Record<string, never>
    output: { success: boolean }
  }
  /**
   * Get user notify settings. `GET /method/notify_user/setting`, scope `profile:read`.
   * - channels: channels that reach the caller: a linked Telegram account, a subscribed browser, an e-mail address
   * - relation: categories that are switched on, by channel
   * - email_minutes: least minutes between two e-mails about one project
   * - email_day: most e-mails a day about one project; the rest is one e-mail
   */
  'notifications.settings.get': {
    input: { project_id: number }
    output: {
      user_id: number
      channels: { cabinet: boolean; telegram: boolean; mobile: boolean; email: boolean }
      relation: {
        cabinet: Array<'important' | 'stream'>
        telegram: Array<'important' | 'stream'>
        mobile: Array<'important' | 'stream'>
        email: Array<'important' | 'stream'>
        project_id: number
      }
      caps: { email_minutes: number; email_day: number }
    }
  }
  /**
   * Set user notify settings. `POST /method/notify_user/setting`, scope `profile:write`.
   */
  'notifications.settings.set': {
    input: {
      project_id: number
      notify_channel: 'telegram' | 'cabinet' | 'mobile' | 'email'
      notify_category: 'important' | 'stream'
      status: 'enable' | 'disable'
    }
    output: { success: boolean }
  }
  /**
   * Get user screen notify. `GET /method/notify_user/screen`, scope `profile:read`.
   * - text: gravest open banner of the project; empty: none
   */
  'notifications.settings.screen': {
    input: { project_id: number }
    output: { type: 'debug' | 'info' | 'warning' | 'error'; title?: string; text: string; actions?: NotifyAction[] }
  }
  /**
   * Remove user screen notify. `POST /method/notify_user/screen`, scope `profile:write`.
   */
  'notifications.settings.removeScreen': {
    input: { project_id: number }
    output: { success: boolean }
  }
  /**
   * Delete mobile token from user. `POST /method/notify_user/del_mobile_token`, scope `profile:write`.
   * - token: of a device in preferences; an unknown one succeeds as well
   */
  'notifications.settings.delMobileToken': {
    input: { token: string }
    output: { success: boolean }
  }
  /**
   * Get devices, Telegram and quiet hours of the user. `GET /method/notify_user/preferences`, scope `profile:read`.
   * - quiet: important: whether important notifications are sent in quiet hours; null: no quiet hours
   * - telegram: linked account of Telegram
   * - email: address of the account
   * - ready: channels that this installation is configured for
   * - push_key: applicationServerKey of web push; null: not available
   */
  'notifications.settings.preferences': {
    input: Record<string, never>
    output: {
      quiet: { from: string; to: string; time_zone: string; important: boolean } | null
      telegram: { name: string; date: string } | null
      devices: Array<{ token: string; device: string; date: string }>
      email: string | null
      ready: { email: boolean; telegram: boolean; mobile: boolean }
      push_key: string | null
    }
  }
  /**
   * Set quiet hours. `POST /method/notify_user/preferences`, scope `profile:write`.
   */
  'notifications.settings.setPreferences': {
    input: { quiet: { from: string; to: string; time_zone: string; important: boolean } | null }
    output: { success: boolean }
  }
  /**
   * Subscribe a browser to notifications. `POST /method/notify_user/push`, no API token.
   * - endpoint: address of the push service, from `PushSubscription`
   * - p256dh: public key of the browser, base64url
   * - auth: authentication secret of the browser, base64url
   * - device: name for the list of devices
   */
  'notifications.settings.addPush': {
    input: { endpoint: string; p256dh: string; auth: string; device?: string | undefined }
    output: { token: string }
  }
  /**
   * Get a link that connects Telegram. `POST /method/notify_user/telegram/link`, scope `profile:write`.
   * - url: opens the chat with the bot; works once within 15 minutes, in a private chat
   */
  'notifications.settings.linkTelegram': {
    input: Record<string, never>
    output: { url: string; bot: string; date_expire: string }
  }
  /**
   * Disconnect Telegram. `POST /method/notify_user/telegram/unlink`, scope `profile:write`.
   */
  'notifications.settings.unlinkTelegram': {
    input: Record<string, never>
    output: { success: boolean }
  }
  /**
   * Send a test notification. `POST /method/notify_user/test`, scope `profile:write`.
   * - channel: left out: every channel that reaches the caller
   * - sent: channels that receive it
   */
  'notifications.settings.test': {
    input: { project_id: number; channel?: 'telegram' | 'cabinet' | 'mobile' | 'email' | undefined }
    output: { sent: Array<'telegram' | 'cabinet' | 'mobile' | 'email'> }
  }
  /**
   * Get webhooks of project. `GET /method/webhook/list`, scope `project:read`.
   * - date_failing: first failure since the last success; after five days the webhook is switched off
   * - date_old_end: until then messages are signed with the secret before the rotation as well
   * - program: app or API token that registered it; it ends with its connection
   * - limit: of those that owners add
   */
  'notifications.webhooks.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        webhook_id: number
        url: string
        is_on: boolean
        date_create: string
        date_failing: string | null
        date_old_end: string | null
        program: string | null
      }>
      limit: number
    }
  }
  /**
   * Add webhook. `POST /method/webhook/add`, scope `project:write`.
   * - url: public HTTPS address; redirects are not followed
   * - secret: `whsec_…`, shown once
   */
  'notifications.webhooks.add': {
    input: { project_id: number; url: string }
    output: {
      webhook_id: number
      url: string
      is_on: boolean
      date_create: string
      date_failing: string | null
      date_old_end: string | null
      program: string | null
      secret: string
    }
  }
  /**
   * Switch webhook on or off. `POST /method/webhook/update`, scope `project:write`.
   */
  'notifications.webhooks.update': {
    input: { project_id: number; webhook_id: number; is_on: boolean }
    output: { success: boolean }
  }
  /**
   * Remove webhook. `POST /method/webhook/del`, scope `project:write`.
   */
  'notifications.webhooks.del': {
    input: { project_id: number; webhook_id: number }
    output: { success: boolean }
  }
  /**
   * Replace the secret of a webhook. `POST /method/webhook/rotate`, scope `project:write`.
   * - date_old_end: until then both secrets sign: a day
   */
  'notifications.webhooks.rotate': {
    input: { project_id: number; webhook_id: number }
    output: { secret: string; date_old_end: string }
  }
  /**
   * Get the last attempts of a webhook. `GET /method/webhook/attempts`, scope `project:read`.
   * - results: newest first, at most 100
   * - status: of the response; null: none
   */
  'notifications.webhooks.attempts': {
    input: { project_id: number; webhook_id: number }
    output: {
      results: Array<{
        message_id: string
        name: string
        status: number | null
        result: 'sent' | 'refused' | 'unknown'
        date: string
      }>
    }
  }
  /**
   * Send a message of a webhook again. `POST /method/webhook/resend`, scope `project:write`.
   */
  'notifications.webhooks.resend': {
    input: { project_id: number; webhook_id: number; message_id: string }
    output: { success: boolean }
  }
  /**
   * Find projects. `GET /method/operator/projects`, scope `operator:read`.
   * - debt: true: only projects that owe money
   * - query: beginnings of words of the name, of the owner’s name or e-mail, or the number of the project; finds at most 1,000 by each
   */
  'operator.customers.search': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      query?: string | undefined
      debt?: boolean | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        project_id: number
        name: string
        type: number
        owner: string
        email: string | null
        currency: 'usd' | 'rub'
        bonus: number
        payment: number
        profit: number
        debt: number
        plan: string
        plan_end: string | null
        date_create: string
      }>
    }
  }
  /**
   * Get a project with its plans, members, papers and notes. `GET /method/operator/projects/page`, scope `operator:read`.
   * - papers: the newest 100
   * - notes: newest first, at most 100
   * - promos: redeemed codes
   */
  'operator.customers.get': {
    input: { target_project_id: number }
    output: {
      project_id: number
      name: string
      type: number
      owner: string
      email: string | null
      currency: 'usd' | 'rub'
      bonus: number
      payment: number
      profit: number
      debt: number
      plan: string
      plan_end: string | null
      date_create: string
      suspended: { date: string; reason: string } | null
      members: Array<{ user_id: number; name: string; email: string | null; access_type: 0 | 1 | 2 }>
      plans: Array<{
        line: 'restream' | 'transcoding' | 'storage'
        slot: 'before' | 'current' | 'next'
        title: string
        date_start: string | null
        date_end: string | null
        renews: boolean
      }>
      promos: Array<{ code: string; name: string; date: string }>
      papers: Array<{ paper_id: number; number: string; payment_id: number | null; date_create: string }>
      notes: Array<{ note_id: number; user: string; text: string; date_create: string }>
    }
  }
  /**
   * Add a note on a project. `POST /method/operator/projects/note`, scope `operator:write`.
   * - text: operators only read it
   */
  'operator.customers.note': {
    input: { target_project_id: number; text: string }
    output: { success: boolean }
  }
  /**
   * Suspend a project, or resume it. `POST /method/operator/projects/suspend`, scope `operator:write`.
   * - reason: members read the reason of a suspension
   */
  'operator.customers.suspend': {
    input: { target_project_id: number; suspended: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * Add money to a balance, or take it. `POST /method/operator/projects/balance`, scope `operator:write`.
   * - amount: minor units of the project’s currency; negative takes
   */
  'operator.customers.changeBalance': {
    input: {
      target_project_id: number
      balance: 'bonus' | 'payment' | 'profit'
      amount: number
      reason: string
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Give a plan to a project. `POST /method/operator/projects/gift`, scope `operator:write`.
   * - plan_id: with its smallest setting; it begins now or prolongs, and never replaces a bought plan
   */
  'operator.customers.gift': {
    input: {
      target_project_id: number
      line: 'restream' | 'transcoding' | 'storage'
      plan_id: number
      period: 'month' | 'quarter' | 'year'
      reason: string
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get the consequence of another plan for a project. `GET /method/operator/projects/plan-change`, scope `operator:read`.
   * - refund: unused parts that return to the balance, minor units
   */
  'operator.customers.planChange': {
    input: {
      target_project_id: number
      line: 'restream' | 'transcoding' | 'storage'
      plan_id: number
      period: 'month' | 'quarter' | 'year'
    }
    output: {
      action: 'new' | 'prolongate' | 'upgrade' | 'downgrade'
      price: number
      refund: number
      balance: number
      balance_after: number
      currency: 'usd' | 'rub'
      date_start: string
      date_end: string
    }
  }
  /**
   * Move a project to another plan. `POST /method/operator/projects/change-plan`, scope `operator:write`.
   * - plan_id: with its running or its smallest setting; paid from the balance, as a purchase of an owner
   * - quote_total: `price` - `refund` of the consequence that the operator saw; `QuoteChanged` when it is another one now
   */
  'operator.customers.changePlan': {
    input: {
      target_project_id: number
      line: 'restream' | 'transcoding' | 'storage'
      plan_id: number
      period: 'month' | 'quarter' | 'year'
      quote_total: number
      reason: string
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get the log of operators. `GET /method/operator/projects/log`, scope `operator:read`.
   */
  'operator.customers.log': {
    input: { limit?: number | undefined; offset?: number | undefined; target_project_id?: number | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        action: string
        user: string | null
        project_id: number | null
        project: string | null
        before: string | null
        after: string | null
        reason: string
        date_create: string
      }>
    }
  }
  /**
   * Check providers, the ledger and jobs. `GET /method/operator/health`, scope `operator:read`.
   */
  'operator.health.get': {
    input: Record<string, never>
    output: {
      system: {
        version: string
        date_start: string
        disks: Array<{
          of: 'both' | 'data' | 'recordings'
          state: 'good' | 'warn' | 'bad' | 'unknown'
          free: number
          total: number
        }>
        memory: { state: 'good' | 'warn' | 'bad' | 'unknown'; used: number; free: number; total: number }
        relays: {
          state: 'good' | 'warn' | 'bad' | 'unknown'
          ffmpeg: 'good' | 'warn' | 'bad' | 'unknown'
          reason: 'none_reported' | 'all_silent' | 'port_taken' | null
          ports: number[]
          list: Array<{ name: string; connected: boolean; full: boolean; ffmpeg: string | null; date_report: string }>
        }
        mail: {
          state: 'good' | 'warn' | 'bad' | 'unknown'
          configured: boolean
          date_sent: string | null
          date_failure: string | null
          failure: string | null
        }
        database: {
          state: 'good' | 'warn' | 'bad' | 'unknown'
          kind: 'sqlite' | 'postgres'
          size: number
          schema: string
          ms: number
        }
        backup: {
          state: 'good' | 'warn' | 'bad' | 'unknown'
          date: string | null
          drill: 'good' | 'warn' | 'bad' | 'unknown'
          date_drill: string | null
        }
      }
      providers: Array<{ name: string; mismatches: number; date_reconciled: string | null; date_event: string | null }>
      ledger: { transactions: number; unbalanced: number[]; wallets: number; differing: number[] }
      receipts: {
        waiting: number
        refused: Array<{
          receipt_id: number
          payment_id: number
          project_id: number
          project_name: string
          title: string
          amount: number
          reason: string
          date: string
        }>
      }
      jobs: Array<{
        kind: string
        key: string
        attempts: number
        error: string
        parked: boolean
        running: boolean
        periodic: boolean
        date_next: string | null
      }>
      bus: { connected: boolean; lost: number; date_loss: string | null }
    }
  }
  /**
   * Decide on refused closing receipt. `POST /method/operator/health/receipt`, scope `operator:write`.
   * - again: true: send it again as a new receipt; false: it was made elsewhere
   */
  'operator.health.resolveReceipt': {
    input: { receipt_id: number; again: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * Run failing job now. `POST /method/operator/health/job/run`, scope `operator:write`.
   */
  'operator.health.runJob': {
    input: { kind: string; key: string; reason: string }
    output: { success: boolean }
  }
  /**
   * Give up failing job. `POST /method/operator/health/job/give-up`, scope `operator:write`.
   */
  'operator.health.giveUpJob': {
    input: { kind: string; key: string; reason: string }
    output: { success: boolean }
  }
  /**
   * List movements of money of all projects. `GET /method/operator/ledger`, scope `operator:read`.
   * - amount: minor units; of `received`: positive when money arrived at the seller
   * - date_to: exclusive
   * - sums: of all movements that match, by currency
   */
  'operator.ledger.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      view?: 'balance' | 'received' | undefined
      target_project_id?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        type: 'registration_bonus' | 'plan_restream_buy' | 'plan_transcoding_buy' | 'plan_storage_buy' | 'channel_story_buy' | 'channel_shop_sell' | 'referral_profit' | 'payment' | 'payment_cancel' | 'payout' | 'payout_cancel' | 'refund' | 'conversion' | 'withdrawal' | 'transferred_of_old_site' | 'accrued_admin' | 'reduced_admin' | 'promo_topup_1' | 'promo_topup_2' | 'promo_create_plan_restream_1' | 'promo_create_plan_restream_2' | 'promo_create_plan_transcoding_1' | 'promo_create_plan_storage_1' | 'transfer'
        project_id: number
        project_name: string
        title: string | null
        payment_id: number | null
        amount: number
        currency: 'usd' | 'rub'
        date_create: string
      }>
      sums: Sum[]
    }
  }
  /**
   * Get the overview of the installation. `GET /method/operator/overview`, scope `operator:read`.
   */
  'operator.overview.get': {
    input: Record<string, never>
    output: {
      months: { last: string; current: string; next: string }
      revenue: { current: Sum[]; last: Sum[] }
      recurring: { count: number; sums: Sum[] }
      plans: { new: number; ended: number }
      unpaid: { count: number; sums: Sum[] }
      overdue: { count: number; sums: Sum[] }
      debts: { count: number; sums: Sum[] }
      inbox: Array<{
        kind: 'transfer' | 'payout' | 'review' | 'dispute' | 'receipt' | 'job' | 'backup'
        count: number
        date_oldest: string | null
      }>
      date_backup: string | null
    }
  }
  /**
   * Get seller, taxes, exchange rate and receipt codes. `GET /method/operator/papers`, scope `operator:read`.
   * - rates: every pair of currencies; `minor` units of `to` for a whole unit of `from`, null: a country that changes the currency is refused while the project has money
   * - tax_system: null, as `vat_code`: no 54-FZ receipts are sent
   * - taxes: percent that prices include, by country of the buyer
   */
  'operator.papers.get': {
    input: Record<string, never>
    output: {
      seller_name: string
      seller_address: string
      seller_tax_id: string
      rates: Array<{ from: 'usd' | 'rub'; to: 'usd' | 'rub'; minor: number | null }>
      tax_system: number | null
      vat_code: number | null
      taxes: Array<{ country_id: number; percent: number; label: string; reverse_charge: boolean }>
    }
  }
  /**
   * Get archives of the papers of all projects by month. `GET /method/operator/papers/archives`, scope `operator:read`.
   * - results: newest month first
   * - month: year and month of issue (UTC), for example 2026-11
   * - part: from 1; a file has at most 2,000 papers, in order of issue
   * - papers: number of papers in the file, which has a PDF of each, and `papers.csv` with their facts
   * - url: ZIP file, from the root of the service; its ticket opens this file only
   * - expires_at: end of the tickets in the addresses
   */
  'operator.papers.archives': {
    input: Record<string, never>
    output: PaperArchives
  }
  /**
   * Set the seller of papers. `POST /method/operator/papers/seller`, scope `operator:write`.
   * - seller_address: lines separated by line breaks
   * - reason: issued papers keep their seller
   */
  'operator.papers.setSeller': {
    input: { seller_name: string; seller_address: string; seller_tax_id: string; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the exchange rate of currency changes. `POST /method/operator/papers/exchange`, scope `operator:write`.
   * - minor: minor units of `to` for a whole unit of `from`, and back; null: no exchange
   */
  'operator.papers.setExchange': {
    input: { from: 'usd' | 'rub'; to: 'usd' | 'rub'; minor: number | null; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the codes of 54-FZ receipts. `POST /method/operator/papers/receipts`, scope `operator:write`.
   * - tax_system: with `vat_code`; both null: no receipts are sent
   */
  'operator.papers.setReceipts': {
    input: { tax_system: number | null; vat_code: number | null; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the tax of a country. `POST /method/operator/papers/tax`, scope `operator:write`.
   * - country_id: ISO 3166-1 numeric
   * - percent: 0 removes the tax
   * - reverse_charge: buyers with a tax id account for the tax; default: no
   */
  'operator.papers.setTax': {
    input: {
      country_id: number
      percent: number
      label: string
      reverse_charge?: boolean | undefined
      reason: string
    }
    output: { success: boolean }
  }
  /**
   * List payments of all projects. `GET /method/operator/payment/list`, scope `operator:read`.
   * - amount: minor units
   * - reason: code of the provider for `error`, or `expired`; null: none
   * - review: another amount or currency arrived or was taken back: the operator decides
   * - purchase: outcome of the purchase of a plan; null: a top-up, or not paid yet
   * - credited: amount that arrived and was booked, minor units; 0: none
   * - debt_paid: part of it that paid a debt of the project, minor units
   * - refunded: returned to the customer, minor units
   * - disputed: withdrawn by a chargeback, minor units
   * - instructions: how to pay an invoice; null for other providers
   * - query: number of the payment, of one of its papers or of the payment at its provider, an amount, or an e-mail of a member
   * - date_to: exclusive
   * - left: credited and neither refunded nor disputed, minor units
   * - may_dispute: false: the provider reports disputes by itself
   * - open_dispute: amount of the open dispute that was entered by hand; 0: none
   * - review_case: an amount that arrived, was taken back (`return`) or came back again (`reinstated`), and is not booked; `refund`: a refund that the provider has not confirmed in 30 days; null: none
   */
  'operator.payments.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      project_id?: number | undefined
      status?: 'review' | 'transfer' | 'overdue' | 'dispute' | 'pending' | 'success' | 'error' | 'cancel' | undefined
      provider?: string | undefined
      query?: string | undefined
      date_from?: string | undefined
      date_to?: string | undefined
    }
    output: { total: number; limit: number; offset: number; results: OperatorPayment[] }
  }
  /**
   * List payment providers with differences. `GET /method/operator/payment/providers`, scope `operator:read`.
   * - mismatches: payments that only one side has or that could not be compared, by the last reconciliation
   */
  'operator.payments.providers': {
    input: Record<string, never>
    output: {
      results: Array<{ name: string; mismatches: number; date_reconciled: string | null; date_event: string | null }>
    }
  }
  /**
   * Mark invoice as paid. `POST /method/operator/payment/paid`, scope `operator:write`.
   * - amount: minor units that arrived; another amount than that of the invoice is not booked
   */
  'operator.payments.markPaid': {
    input: { payment_id: number; amount: number; reason: string }
    output: { success: boolean }
  }
  /**
   * Refund payment. `POST /method/operator/payment/refund`, scope `operator:write`.
   * - amount: minor units: at most what the payment has left and the paid-in balance holds
   * - end_plan: true: the running plan of the line that was paid ends first, and its unused part returns to the balance
   */
  'operator.payments.refund': {
    input: { payment_id: number; amount: number; end_plan?: boolean | undefined; reason: string }
    output: { success: boolean }
  }
  /**
   * Enter dispute of payment. `POST /method/operator/payment/dispute`, scope `operator:write`.
   * - amount: minor units that the provider has withdrawn; for providers that report no disputes
   */
  'operator.payments.dispute': {
    input: { payment_id: number; amount: number; reason: string }
    output: { success: boolean }
  }
  /**
   * End dispute of payment. `POST /method/operator/payment/end-dispute`, scope `operator:write`.
   * - won: true: the amount returns to the project
   */
  'operator.payments.endDispute': {
    input: { payment_id: number; won: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * Decide on payment. `POST /method/operator/payment/resolve`, scope `operator:write`.
   * - book: true: credit what arrived to the paid-in balance; false: leave it at the provider
   */
  'operator.payments.resolve': {
    input: { payment_id: number; book: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * List payouts of all projects. `GET /method/operator/payout/list`, scope `operator:read`.
   * - amount: minor units; the recipient gets it less `commission`
   * - wallet: account of the recipient
   */
  'operator.payouts.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      status?: 'waiting' | 'sent' | 'refused' | 'cancelled' | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        payout_id: number
        amount: number
        commission: number
        currency: 'usd' | 'rub'
        wallet: string
        status: 'waiting' | 'sent' | 'refused' | 'cancelled'
        reference: string | null
        reason: string | null
        date_create: string
        date_end: string | null
        project_id: number
        project_name: string
        way: string
      }>
    }
  }
  /**
   * Mark payout as sent. `POST /method/operator/payout/sent`, scope `operator:write`.
   * - reference: of the transfer; the project sees it
   */
  'operator.payouts.sent': {
    input: { payout_id: number; reference: string; reason: string }
    output: { success: boolean }
  }
  /**
   * Refuse payout. `POST /method/operator/payout/refuse`, scope `operator:write`.
   * - reason: the project sees it; the amount returns to its balance
   */
  'operator.payouts.refuse': {
    input: { payout_id: number; reason: string }
    output: { success: boolean }
  }
  /**
   * List ways to pay out. `GET /method/operator/payout/ways`, scope `operator:read`.
   * - commission: hundredths of a percent, or minor units
   * - min_amount: minor units
   */
  'operator.payouts.ways': {
    input: Record<string, never>
    output: {
      results: Array<{
        title: string
        description: string
        currency: 'usd' | 'rub'
        commission: number
        commission_type: 'percent' | 'fix'
        min_amount: number
        max_amount: number
        active: boolean
        way_id: number
      }>
    }
  }
  /**
   * Add or change a way to pay out. `POST /method/operator/payout/set-way`, scope `operator:write`.
   * - way_id: left out: a new way
   * - commission: hundredths of a percent, or minor units
   */
  'operator.payouts.setWay': {
    input: {
      title: string
      description: string
      currency: 'usd' | 'rub'
      commission: number
      commission_type: 'percent' | 'fix'
      min_amount: number
      max_amount: number
      active: boolean
      way_id?: number | undefined
      reason: string
    }
    output: { success: boolean }
  }
  /**
   * Get the referral percent. `GET /method/operator/payout/referral`, scope `operator:read`.
   */
  'operator.payouts.referral': {
    input: Record<string, never>
    output: { percent: number }
  }
  /**
   * Set the referral percent. `POST /method/operator/payout/set-referral`, scope `operator:write`.
   * - percent: share of the payments of invited users; applies to payments from now on
   */
  'operator.payouts.setReferral': {
    input: { percent: number; reason: string }
    output: { success: boolean }
  }
  /**
   * Find users. `GET /method/operator/people`, scope `operator:read`.
   * - query: beginnings of words of the name or of the e-mail; finds at most 1,000
   * - operators: true: only operators
   */
  'operator.people.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      query?: string | undefined
      operators?: boolean | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        user_id: number
        name: string
        email: string | null
        operator: boolean
        projects: number
        sessions: number
        date_create: string
      }>
    }
  }
  /**
   * Make a user an operator, or remove the right. `POST /method/operator/people/operator`, scope `operator:write`.
   * - operator: the last operator cannot be removed
   */
  'operator.people.setOperator': {
    input: { user_id: number; operator: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * End all sessions of a user. `POST /method/operator/people/end-sessions`, scope `operator:write`.
   */
  'operator.people.endSessions': {
    input: { user_id: number; reason: string }
    output: { ended: number }
  }
  /**
   * Set the mode of sign-up. `POST /method/operator/people/sign-up`, scope `operator:write`.
   * - sign_up: replaces the setting `SIGN_UP`
   */
  'operator.people.setSignUp': {
    input: { sign_up: 'auto' | 'open' | 'invite' | 'closed'; reason: string }
    output: { success: boolean }
  }
  /**
   * Create a link that makes one account. `POST /method/operator/people/invite`, scope `operator:write`.
   * - url: works once, for a week, in every mode of sign-up
   */
  'operator.people.invite': {
    input: { reason: string }
    output: { url: string }
  }
  /**
   * Get the catalogues of all lines. `GET /method/operator/plans`, scope `operator:read`.
   */
  'operator.plans.list': {
    input: Record<string, never>
    output: {
      restream: Array<{
        title: string
        title_en?: string | null
        title_ru?: string | null
        title_cn?: string | null
        active: boolean
        listed: boolean
        price_usd: number | null
        price_rub: number | null
        type: 'free' | 'paid_fix' | 'paid_flex' | 'custom'
        channel_min: number | null
        channel_max: number
        channel_step: number | null
        bitrate_min: number | null
        bitrate_max: number
        bitrate_step: number | null
        channel_step_price_usd: number
        channel_step_price_rub: number
        bitrate_step_price_usd: number
        bitrate_step_price_rub: number
        resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K'
        fps: '30' | '60'
        create_projects: boolean
        chat?: boolean
        background_chat?: boolean
        change_subject?: boolean
        video_storage: number | null
        pull_link_limit: number
        support_custom_channel: boolean
        id: number
        index: number
        projects: number
        assigned: number[]
      }>
      transcoding: Array<{
        title: string
        title_en?: string | null
        title_ru?: string | null
        title_cn?: string | null
        active: boolean
        listed: boolean
        price_usd: number | null
        price_rub: number | null
        type: 'free' | 'paid_month' | 'custom'
        resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K'
        fps: '30' | '60'
        weight: number
        count_max: number
        id: number
        index: number
        projects: number
        assigned: number[]
      }>
      storage: Array<{
        title: string
        title_en?: string | null
        title_ru?: string | null
        title_cn?: string | null
        active: boolean
        listed: boolean
        price_usd: number | null
        price_rub: number | null
        size_min: number
        size_max: number
        size_step: number
        id: number
        index: number
        projects: number
        assigned: number[]
      }>
      record_limit: number
      discounts: {
        restream: { month: number; quarter: number; year: number }
        transcoding: { month: number; quarter: number; year: number }
        storage: { month: number; quarter: number; year: number }
      }
      periods: Array<{ period: 'month' | 'quarter' | 'year'; sold: boolean }>
    }
  }
  /**
   * Save a restream plan. `POST /method/operator/plans/restream`, scope `operator:write`.
   * - price_usd: minor units a month
   * - price_rub: minor units a month
   * - plan_id: left out: a new plan
   */
  'operator.plans.saveRestream': {
    input: {
      title: string
      title_en?: string | null | undefined
      title_ru?: string | null | undefined
      title_cn?: string | null | undefined
      active: boolean
      listed: boolean
      price_usd: number | null
      price_rub: number | null
      type: 'free' | 'paid_fix' | 'paid_flex' | 'custom'
      channel_min: number | null
      channel_max: number
      channel_step: number | null
      bitrate_min: number | null
      bitrate_max: number
      bitrate_step: number | null
      channel_step_price_usd: number
      channel_step_price_rub: number
      bitrate_step_price_usd: number
      bitrate_step_price_rub: number
      resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K'
      fps: '30' | '60'
      create_projects: boolean
      chat?: boolean | undefined
      background_chat?: boolean | undefined
      change_subject?: boolean | undefined
      video_storage: number | null
      pull_link_limit: number
      support_custom_channel: boolean
      plan_id?: number | undefined
      reason: string
    }
    output: { id: number }
  }
  /**
   * Save a transcoding plan. `POST /method/operator/plans/transcoding`, scope `operator:write`.
   * - price_usd: minor units a month
   * - price_rub: minor units a month
   * - plan_id: left out: a new plan
   */
  'operator.plans.saveTranscoding': {
    input: {
      title: string
      title_en?: string | null | undefined
      title_ru?: string | null | undefined
      title_cn?: string | null | undefined
      active: boolean
      listed: boolean
      price_usd: number | null
      price_rub: number | null
      type: 'free' | 'paid_month' | 'custom'
      resolution: '720p' | '1080p' | '2K' | 'UW' | '4K' | '8K'
      fps: '30' | '60'
      weight: number
      count_max: number
      plan_id?: number | undefined
      reason: string
    }
    output: { id: number }
  }
  /**
   * Save a storage plan. `POST /method/operator/plans/storage`, scope `operator:write`.
   * - price_usd: minor units a month
   * - price_rub: minor units a month
   * - plan_id: left out: a new plan
   */
  'operator.plans.saveStorage': {
    input: {
      title: string
      title_en?: string | null | undefined
      title_ru?: string | null | undefined
      title_cn?: string | null | undefined
      active: boolean
      listed: boolean
      price_usd: number | null
      price_rub: number | null
      size_min: number
      size_max: number
      size_step: number
      plan_id?: number | undefined
      reason: string
    }
    output: { id: number }
  }
  /**
   * Remove a plan that was never bought. `POST /method/operator/plans/remove`, scope `operator:write`.
   */
  'operator.plans.remove': {
    input: { line: 'restream' | 'transcoding' | 'storage'; plan_id: number; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the order of a catalogue. `POST /method/operator/plans/order`, scope `operator:write`.
   * - plan_ids: first plan first; others follow in their order
   */
  'operator.plans.order': {
    input: { line: 'restream' | 'transcoding' | 'storage'; plan_ids: number[]; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the discounts of a line. `POST /method/operator/plans/discount`, scope `operator:write`.
   * - month: percent
   * - quarter: percent
   * - year: percent
   */
  'operator.plans.setDiscount': {
    input: {
      line: 'restream' | 'transcoding' | 'storage'
      month: number
      quarter: number
      year: number
      reason: string
    }
    output: { success: boolean }
  }
  /**
   * Sell plans for a period, or stop. `POST /method/operator/plans/period`, scope `operator:write`.
   * - sold: `false`: bought plans continue, are renewed, and can be prolonged by their period
   */
  'operator.plans.setPeriod': {
    input: { period: 'month' | 'quarter' | 'year'; sold: boolean; reason: string }
    output: { success: boolean }
  }
  /**
   * Show an unlisted plan to a project, or hide it. `POST /method/operator/plans/assign`, scope `operator:write`.
   * - line: default `restream`
   */
  'operator.plans.assign': {
    input: {
      line?: 'restream' | 'transcoding' | 'storage' | undefined
      plan_id: number
      target_project_id: number
      assigned: boolean
      reason: string
    }
    output: { success: boolean }
  }
  /**
   * List promo codes. `GET /method/operator/promo/list`, scope `operator:read`.
   * - amount_usd: minor units
   * - amount_rub: minor units
   * - date_end: time when an operator ended it
   */
  'operator.promos.list': {
    input: { limit?: number | undefined; offset?: number | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        promo_id: number
        code: string
        name: string
        type: 'top_up' | 'restream' | 'transcoding' | 'storage' | 'percent' | 'fixed'
        amount_usd: number | null
        amount_rub: number | null
        percent: number | null
        plan: { id: number; title: string; period: 'month' | 'quarter' | 'year' } | null
        uses: number
        uses_max: number | null
        date_until: string | null
        date_end: string | null
        date_create: string
      }>
    }
  }
  /**
   * Create promo code. `POST /method/operator/promo/create`, scope `operator:write`.
   * - code: letters, digits, hyphens and underscores
   * - amount_usd: minor units; `top_up` and `fixed` need the amount of at least one currency
   * - amount_rub: minor units; `top_up` and `fixed` need the amount of at least one currency
   * - percent: off the price of a purchase, for `percent`
   * - plan_id: plan of the line that `type` names, with `period`, and the quantities of a flexible plan
   * - uses_max: null: no limit
   */
  'operator.promos.create': {
    input: {
      code: string
      name: string
      type: 'top_up' | 'restream' | 'transcoding' | 'storage' | 'percent' | 'fixed'
      amount_usd?: number | null | undefined
      amount_rub?: number | null | undefined
      percent?: number | undefined
      plan_id?: number | undefined
      period?: 'month' | 'quarter' | 'year' | undefined
      channels?: number | undefined
      bitrate?: number | undefined
      count?: number | undefined
      size?: number | undefined
      uses_max?: number | null | undefined
      date_until?: string | null | undefined
      reason: string
    }
    output: { success: boolean }
  }
  /**
   * End promo code. `POST /method/operator/promo/end`, scope `operator:write`.
   */
  'operator.promos.end': {
    input: { promo_id: number; reason: string }
    output: { success: boolean }
  }
  /**
   * List relay servers. `GET /method/operator/servers`, scope `operator:read`.
   */
  'operator.servers.list': {
    input: Record<string, never>
    output: {
      results: Array<{
        node: string
        machine: string
        city: string
        country: string
        release: string | null
        state: 'accepting' | 'full' | 'draining' | 'silent'
        can_drain: boolean
        date_drain: string | null
        broadcasts: number
        date_oldest: string | null
        network: number
        cpu: number
        ram: number
        date_report: string
      }>
    }
  }
  /**
   * Drain a relay server. `POST /method/operator/servers/drain`, scope `operator:write`.
   * - minutes: time after which it disconnects the encoders that are left; 0: now. The server takes no new broadcasts, and ends when none is left
   */
  'operator.servers.drain': {
    input: { node: string; minutes: number; reason: string }
    output: { success: boolean }
  }
  /**
   * Cancel the drain of a relay server. `POST /method/operator/servers/undrain`, scope `operator:write`.
   */
  'operator.servers.cancel': {
    input: { node: string; reason: string }
    output: { success: boolean }
  }
  /**
   * Get settings of the installation. `GET /method/operator/settings`, scope `operator:read`.
   */
  'operator.settings.get': {
    input: Record<string, never>
    output: {
      billing: 'off' | 'plans'
      bonus_usd: number
      bonus_rub: number
      projects_free: number
      projects_paid: number
      plans_running: number
      has_payments: boolean
      sign_up: 'auto' | 'open' | 'invite' | 'closed'
      providers: string[]
      second_factor: 'none' | 'operators' | 'all'
      limits: ServerLimits
    }
  }
  /**
   * Switch plans on or off. `POST /method/operator/settings/billing`, scope `operator:write`.
   * - billing: `off`: everything is included, and nothing is sold. Bought plans stay stored
   */
  'operator.settings.setBilling': {
    input: { billing: 'off' | 'plans'; reason: string }
    output: { success: boolean }
  }
  /**
   * Demand a second factor of users. `POST /method/operator/settings/second-factor`, scope `operator:write`.
   * - second_factor: users without one get 403 `SecondFactorDemanded` until they set it up
   */
  'operator.settings.setSecondFactor': {
    input: { second_factor: 'none' | 'operators' | 'all'; reason: string }
    output: { success: boolean }
  }
  /**
   * Set limits of the server. `POST /method/operator/settings/limits`, scope `operator:write`.
   * - channels: on at the same time; applies while plans are off
   * - storage: GB for recordings; applies while plans are off
   * - transcoders: per project; replaces `TRANSCODERS_MAX`
   */
  'operator.settings.setLimits': {
    input: { channels: number; storage: number; transcoders: number; reason: string }
    output: { success: boolean }
  }
  /**
   * Set the registration bonus. `POST /method/operator/settings/bonus`, scope `operator:write`.
   * - bonus_usd: minor units
   * - bonus_rub: minor units
   */
  'operator.settings.setBonus': {
    input: { bonus_usd: number; bonus_rub: number; reason: string }
    output: { success: boolean }
  }
  /**
   * List plans of all projects. `GET /method/operator/subscriptions`, scope `operator:read`.
   * - date_to: exclusive; `date_from` and `date_to` apply to `new` and `ended`
   * - amount: paid for the last begun period, minor units; 0: given
   * - monthly: amounts of all plans that match, for a month, by currency
   */
  'operator.subscriptions.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      view?: 'running' | 'recurring' | 'new' | 'ended' | undefined
      target_project_id?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        term_id: number
        project_id: number
        project_name: string
        line: 'restream' | 'transcoding' | 'storage'
        plan: string
        period: 'month' | 'quarter' | 'year' | null
        amount: number
        currency: 'usd' | 'rub'
        renews: boolean
        date_start: string
        date_end: string
      }>
      monthly: Sum[]
    }
  }
  /**
   * Apps that are connected to a project. `GET /method/project/connected-apps`, no API token.
   */
  'projects.connected-apps.list': {
    input: { project_id: number }
    output: { results: ConnectedApp[] }
  }
  /**
   * Disconnect an app of any member. `POST /method/project/connected-apps/disconnect`, no API token.
   */
  'projects.connected-apps.disconnect': {
    input: { project_id: number; grant_id: number }
    output: { success: boolean }
  }
  /**
   * Get project history of actions. `GET /method/project_history/list`, scope `project:read`.
   * - date_from: from this moment on
   * - date_to: before this moment
   * - group_id: id of a channel
   * - user_id: decided: the user that made the change
   * - details: decided: names of the changed fields; never a secret
   */
  'projects.history.list': {
    input: {
      project_id: number
      limit?: number | undefined
      offset?: number | undefined
      date_from?: string | undefined
      date_to?: string | undefined
      action?: 'project_channel_invite_add' | 'project_channel_invite_del' | 'project_channel_invite_accept' | 'project_channel_invite_decline' | 'user_project_invite_add' | 'user_project_invite_del' | 'user_project_invite_accept' | 'user_project_invite_decline' | 'user_project_add' | 'user_project_del' | 'user_project_change' | 'project_channel_add' | 'project_channel_del' | 'project_channel_change' | 'project_created' | 'project_changed' | 'plan_bought' | 'plan_cancelled' | 'plan_renewed' | 'plan_renewal_on' | 'plan_renewal_off' | 'plan_notice' | 'billing_details_changed' | 'promo_applied' | 'payout_created' | 'payout_cancelled' | 'balance_moved' | 'stream_key_rotated' | 'stats_key_rotated' | 'stream_record_on' | 'stream_record_off' | 'stream_wait' | 'stream_quality' | 'remote_source_started' | 'remote_source_stopped' | 'schedule_created' | 'schedule_changed' | 'schedule_removed' | 'schedule_stopped' | 'stream_lost_picture' | 'stream_pause_picture' | 'encoder_refused' | 'pull_key_created' | 'pull_key_changed' | 'pull_key_removed' | 'transcoder_created' | 'transcoder_changed' | 'transcoder_removed' | 'transcoder_stopped' | 'transcoder_started' | 'broadcast_began' | 'broadcast_ended' | 'recording_removed' | 'storage_notice' | 'payment_received' | 'payment_refunded' | 'payment_disputed' | 'payment_dispute_won' | undefined
      group_id?: number | undefined
      user_id?: number | undefined
    }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        action: string
        project_id: number
        user_id: number | null
        group_id: number | null
        date: string
        user_?: { user_id: number; name: string; fename: string } | null
        details?: Record<string, unknown> | null
      }>
    }
  }
  /**
   * List of invites into project. `GET /method/project/invite/list`, scope `project:read`.
   */
  'projects.invites.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        project_invite_id: number
        project_id: number
        access_type: 0 | 1 | 2
        email: string | null
        date: string
        date_expire: string
        from_user_id: number
        from_user_?: { user_id: number; name: string; fename: string } | null
      }>
    }
  }
  /**
   * Invite a person into project. `POST /method/project/invite/add`, scope `project:write`.
   * - email: recipient of the link; without it the link is only in the response
   * - secret: never shown again
   * - url: the link, with the secret behind `#`
   * - mail: state of the e-mail; `none`: no e-mail was requested
   */
  'projects.invites.add': {
    input: { project_id: number; access_type: 0 | 1 | 2; email?: string | undefined }
    output: {
      project_invite_id: number
      project_id: number
      access_type: 0 | 1 | 2
      email: string | null
      date: string
      date_expire: string
      from_user_id: number
      from_user_?: { user_id: number; name: string; fename: string } | null
      secret: string
      url: string
      mail: 'sent' | 'not-configured' | 'failed' | 'none'
    }
  }
  /**
   * Withdraw an invite into project. `POST /method/project/invite/del`, scope `project:write`.
   * - id: `project_invite_id`
   */
  'projects.invites.del': {
    input: { project_id: number; id: number }
    output: { success: boolean }
  }
  /**
   * Look at an invite into project. `POST /method/project/invite/get_for_secret`, any token.
   * - secret: in the body, so that no address holds it; nothing is changed
   * - may_sign_up: whether an account can be made with this invitation
   */
  'projects.invites.getForSecret': {
    input: { secret: string }
    output: {
      access_type: 0 | 1 | 2
      date_expire: string
      from_user_: { name: string; fename: string }
      project_: { name: string; fename: string; photo_50?: string | null; type: 0 | 1 }
      may_sign_up: boolean
    }
  }
  /**
   * Get a code to make an account for an invite. `POST /method/project/invite/sign_up`, no API token.
   * - code: for `refId` of auth/redirect-url; makes one account, and a newer one replaces it
   */
  'projects.invites.signUp': {
    input: { secret: string }
    output: { code: string }
  }
  /**
   * Accept an invite into project. `POST /method/project/invite/accept`, scope `project:write`.
   */
  'projects.invites.accept': {
    input: { secret: string }
    output: { success: boolean; project_id: number }
  }
  /**
   * Decline an invite into project. `POST /method/project/invite/decline`, any token.
   */
  'projects.invites.decline': {
    input: { secret: string }
    output: { success: boolean }
  }
  /**
   * Change access user from project. `POST /method/project/user/change_access`, scope `project:write`.
   * - access_type: 0 viewer, 1 editor, 2 owner; the last owner stays one
   */
  'projects.members.changeAccess': {
    input: { project_id: number; user_id: number; access_type: 0 | 1 | 2 }
    output: { success: boolean }
  }
  /**
   * Remove user from project. `POST /method/project/user/del`, scope `project:write`.
   */
  'projects.members.del': {
    input: { project_id: number; user_id: number }
    output: { success: boolean }
  }
  /**
   * Remove user from project. `POST /method/project/user/delete`, scope `project:write`.
   * - user_id: the later path of the same operation
   */
  'projects.members.delete': {
    input: { project_id: number; user_id: number }
    output: { success: boolean }
  }
  /**
   * Leave project. `POST /method/project/user/leave`, scope `project:write`.
   * - project_id: the last owner cannot leave
   */
  'projects.members.leave': {
    input: { project_id: number }
    output: { success: boolean }
  }
  /**
   * Hand the project over. `POST /method/project/user/transfer_owner`, scope `project:write`.
   * - user_id: a member; becomes an owner, and the caller an editor, in one step
   */
  'projects.members.transferOwner': {
    input: { project_id: number; user_id: number }
    output: { success: boolean }
  }
  /**
   * List of project for current user. `GET /method/project/list`, scope `project:read`.
   */
  'projects.projects.list': {
    input: { limit?: number | undefined; offset?: number | undefined }
    output: {
      total: number
      limit: number
      offset: number
      results: Array<{
        id: number
        user_id: number
        project_id: number
        access_type: 0 | 1 | 2
        project: ProjectMember
        member_count: number
        suspended?: string | null
        lacks_factor?: boolean
      }>
    }
  }
  /**
   * Select user for project. `GET /method/project/select`, scope `profile:write`.
   * - id: project id; becomes the last selected project of the person
   */
  'projects.projects.select': {
    input: { id: number }
    output: Project
  }
  /**
   * Get project by number id. `GET /method/project/get_project`, scope `project:read`.
   */
  'projects.projects.get': {
    input: { project_external_id: string }
    output: Project
  }
  /**
   * Get project full info. `GET /method/project/get_project_info`, scope `project:read`.
   */
  'projects.projects.info': {
    input: { project_id: number }
    output: {
      data: {
        project_id: number
        name: string
        fename: string
        photo_50?: string | null
        photo_100?: string | null
        external_id: string
        type: 0 | 1
        balance_bonus: number | string
        balance_payment: number | string
        balance_profit: number | string
        debt?: number
        currency: 'usd' | 'rub'
        country_id: number
      }
      restream: {
        plan2user: {
          plan_restream2user_id: number
          plan_restream_id: number
          date_end: string | null
          date_start: string | null
          date_create: string | null
          period: 'month' | 'quarter' | 'year' | null
          money_flow_uuid: string
          period_uuid: string
          status: string
          prolongation: number
        }
        data: RestreamPlan
      }
      transcoding?: TranscodingInfo | null
      storage?: StorageInfo | null
      access: { access_type: 0 | 1 | 2 }
      suspended?: { date: string; reason: string } | null
    }
  }
  /**
   * Get user by number id. `GET /method/project/get_user`, scope `project:read`.
   */
  'projects.projects.user': {
    input: { user_external_id: string }
    output: Project
  }
  /**
   * List of user in project. `GET /method/project/user/list`, scope `project:read`.
   */
  'projects.projects.members': {
    input: { project_id: number }
    output: { results: ProjectMember[] }
  }
  /**
   * Scopes of the token. `GET /method/project/me`, any token.
   */
  'projects.projects.me': {
    input: Record<string, never>
    output: { scopes: string[] }
  }
  /**
   * Create a team project. `POST /method/project/create`, scope `project:write`.
   * - currency: currency of the project’s payments; cannot be changed
   */
  'projects.projects.create': {
    input: { name: string; currency: 'usd' | 'rub' }
    output: Project
  }
  /**
   * Rename project. `POST /method/project/update`, scope `project:write`.
   */
  'projects.projects.update': {
    input: { project_id: number; name: string }
    output: { success: boolean }
  }
  /**
   * Demand of a project for a second factor. `GET /method/project/security`, scope `project:read`.
   */
  'projects.security.get': {
    input: { project_id: number }
    output: { second_factor: boolean; members_without: number }
  }
  /**
   * Demand a second factor of the members. `POST /method/project/security`, no API token.
   * - second_factor: members without one get 403 `SecondFactorDemanded` until they set it up
   */
  'projects.security.set': {
    input: { project_id: number; second_factor: boolean }
    output: { success: boolean }
  }
  /**
   * Get token of the connection. `GET /method/centrifuge/auth/connect`, any token.
   * - expires_in: seconds
   */
  'realtime.tokens.connect': {
    input: { project_id: number }
    output: { access_token: string; expires_in: number }
  }
  /**
   * Get token of a channel. `GET /method/centrifuge/auth/channel`, any token.
   * - expires_in: seconds
   */
  'realtime.tokens.channel': {
    input: { project_id: number; channel_name: string }
    output: { access_token: string; expires_in: number; channel: string }
  }
  /**
   * Get list of channels. `GET /method/centrifuge/channels`, any token.
   */
  'realtime.tokens.channels': {
    input: Record<string, never>
    output: {
      results: Array<{
        channel_type: string
        channel_pattern: string
        required_params: string[]
        requires_token: boolean
        response_schema: string
        events: string[]
        description: string
      }>
    }
  }
  /**
   * Auth centrifuge. `GET /method/centrifuge`, any token.
   */
  'realtime.tokens.auth': {
    input: { project_id: number }
    output: { access_token: string }
  }
  /**
   * Auth token for project. `GET /method/centrifuge/auth/project`, any token.
   */
  'realtime.tokens.project': {
    input: { project_id: number }
    output: { access_token: string }
  }
  /**
   * Auth token for broadcast. `GET /method/centrifuge/token/broadcast`, any token.
   */
  'realtime.tokens.broadcast': {
    input: { project_id: number; broadcast_id: number }
    output: { access_token: string }
  }
  /**
   * Get settings of a widget. `GET /method/integration-template/widget/get`, scope `broadcasts:read`.
   * - payload: settings that differ from their defaults; null: none
   * - until: time to which a countdown counts; left out: the next run of a schedule
   * - next: decided: begin of the next run of a schedule; null: none is planned
   */
  'realtime.widgets.get': {
    input: { template_id: string }
    output: { payload: WidgetSettings | null; next?: string | null }
  }
  /**
   * Get list of widgets. `GET /method/integration-template/widget`, scope `broadcasts:read`.
   * - hint: last four signs of the token
   * - is_active: false: the member that made the token has left, or has ended all sessions: replace it
   * - date_use: last use, to five minutes
   */
  'realtime.widgets.list': {
    input: { project_id: number }
    output: {
      results: Array<{
        template_id: string
        kind: 'counter' | 'badge' | 'countdown' | 'health'
        name: string
        payload: WidgetSettings
        hint: string
        is_active: boolean
        date_create: string
        date_use: string | null
      }>
    }
  }
  /**
   * Add a widget. `POST /method/integration-template/widget`, no API token.
   * - token: shown once; it goes into the address of the page
   */
  'realtime.widgets.add': {
    input: {
      project_id: number
      kind: 'counter' | 'badge' | 'countdown' | 'health'
      name: string
      payload?: {
        bg?: string | undefined
        text?: string | undefined
        opacity?: number | undefined
        size?: number | undefined
        channels_size?: number | undefined
        test?: boolean | undefined
        channels?: boolean | undefined
        channels_layout?: 'row' | 'column' | undefined
        total?: boolean | undefined
        icon?: boolean | undefined
        title?: string | undefined
        until?: string | undefined
        timer?: boolean | undefined
      } | undefined
    }
    output: {
      template_id: string
      kind: 'counter' | 'badge' | 'countdown' | 'health'
      name: string
      payload: WidgetSettings
      hint: string
      is_active: boolean
      date_create: string
      date_use: string | null
      token: string
    }
  }
  /**
   * Change a widget. `POST /method/integration-template/widget/update`, scope `broadcasts:write`.
   * - payload: replaces all settings; open pages show them within a second
   */
  'realtime.widgets.update': {
    input: {
      project_id: number
      template_id: string
      name: string
      payload: {
        bg?: string | undefined
        text?: string | undefined
        opacity?: number | undefined
        size?: number | undefined
        channels_size?: number | undefined
        test?: boolean | undefined
        channels?: boolean | undefined
        channels_layout?: 'row' | 'column' | undefined
        total?: boolean | undefined
        icon?: boolean | undefined
        title?: string | undefined
        until?: string | undefined
        timer?: boolean | undefined
      }
    }
    output: { success: boolean }
  }
  /**
   * Replace the token of a widget. `POST /method/integration-template/widget/token`, no API token.
   * - token: shown once; it goes into the address of the page. The old one and its open pages end within a second
   */
  'realtime.widgets.token': {
    input: { project_id: number; template_id: string }
    output: { token: string }
  }
  /**
   * Remove a widget. `POST /method/integration-template/widget/remove`, no API token.
   * - template_id: its token and its open pages end within a second
   */
  'realtime.widgets.remove': {
    input: { project_id: number; template_id: string }
    output: { success: boolean }
  }
  /**
   * Check code. `GET /method/promo/check`, scope `billing:read`.
   * - amount: decided: minor units that the bonus balance gets, or that `fixed` takes off a price; else null
   * - percent: decided: percent that `percent` takes off a price; else null
   */
  'tariffs.promo.check': {
    input: { project_id: number; code: string }
    output: {
      name: string
      id: number
      type: 'top_up' | 'restream' | 'transcoding' | 'storage' | 'percent' | 'fixed'
      amount: number | null
      percent: number | null
      currency: 'usd' | 'rub'
      plan: { id: number; title: string; period: 'month' | 'quarter' | 'year' } | null
    }
  }
  /**
   * Apply code. `GET /method/promo/apply`, scope `billing:write`.
   */
  'tariffs.promo.apply': {
    input: { project_id: number; code: string }
    output: { result: 'top_up' | 'tariff' }
  }
  /**
   * Get tariff for project. `GET /method/plan_restream`, scope `billing:read`.
   */
  'tariffs.restream.slots': {
    input: { project_id: number }
    output: RestreamSlots
  }
  /**
   * Remove after tariff. `DELETE /method/plan_restream`, scope `billing:write`.
   */
  'tariffs.restream.cancelNext': {
    input: { project_id: number; plan_restream_id: number }
    output: { success: boolean }
  }
  /**
   * Get list of restream tariffs. `GET /method/plan_restream/list`, any token.
   */
  'tariffs.restream.list': {
    input: Record<string, never>
    output: {
      results: RestreamPlan[]
      feature: {
        results: Array<{
          name: 'count_channel_max' | 'bitrate_max' | 'resolution' | 'create_projects' | 'chat' | 'video' | 'video_storage' | 'change_subject' | 'background_chat' | 'dedicated_server' | 'personal_manager' | 'support_custom_channel'
          unit?: string
        }>
      }
    }
  }
  /**
   * Get discount restream. `GET /method/plan_restream/get_discount`, any token.
   * - month: percent
   * - quarter: percent
   * - year: percent
   */
  'tariffs.restream.discount': {
    input: Record<string, never>
    output: Discount
  }
  /**
   * Switch automatic renewal. `POST /method/plan_restream/prolongation`, scope `billing:write`.
   */
  'tariffs.restream.prolongation': {
    input: { project_id: number; enabled: boolean }
    output: { success: boolean }
  }
  /**
   * Get list of restream tariffs for project. `GET /method/plan_restream/list/project`, scope `billing:read`.
   * - price: minor units of the project's currency for the whole period
   * - bitrate_max: kbps
   */
  'tariffs.restream.offers': {
    input: { project_id: number }
    output: {
      results: Array<{
        plan_restream_id: number
        title: string
        active: boolean
        count_channel_min?: number | null
        count_channel_max?: number | null
        count_channel_step?: number | null
        type: 'free' | 'paid_fix' | 'paid_flex' | 'custom'
        bitrate_max?: number | null
        bitrate_min?: number | null
        bitrate_step?: number | null
        index: number
        price: { month: number; quarter?: number; year: number }
        status: 'current' | 'upgrade' | 'downgrade'
        feature: Array<{
          name: string
          type: 'string' | 'number' | 'boolean'
          value: string | number | boolean | null
          index: number
          unit?: string
        }>
        support_custom_channel: boolean
        custom_video: number
        own_tariff: RestreamSlots
      }>
    }
  }
  /**
   * Load data for show card the tariffs v2. `GET /method/plan_restream/check`, scope `billing:read`.
   * - bitrate: kbps
   * - sum: minor units
   * - use_balance: 1: take what the balance covers
   */
  'tariffs.restream.check': {
    input: {
      project_id: number
      period: 'month' | 'quarter' | 'year'
      plan_restream_id: number
      use_balance?: 0 | 1 | undefined
      channels?: number | undefined
      bitrate?: number | undefined
      promo_code?: string | undefined
    }
    output: {
      tariff_price_month: number
      tariff_price_quarter?: number
      tariff_price_year: number
      balance: number
      sum?: number
      promo_off?: number
      refund_current?: number
      refund_after?: number
      refund_balance?: number
      decrease_balance?: number
      total?: number
      notification?: string
      notification_date?: string
      button_name: string
      currency: 'usd' | 'rub'
      choose_status: 'new' | 'prolongate' | 'upgrade' | 'downgrade'
      status: 'new' | 'current' | 'current_upgrade' | 'current_downgrade' | 'upgrade' | 'downgrade'
      channel?: number
      bitrate?: number
    }
  }
  /**
   * Buy restream tariff. `POST /method/plan_restream`, scope `billing:write`.
   * - count_channel: called `channels` in check
   * - bitrate: kbps
   * - promo_code: decided: a code of type `percent` or `fixed`, used by the purchase
   * - quote_total: decided: `sum` - `refund_current` - `refund_after` as quoted, minor units, negative when the refund exceeds the price; a price that changed since refuses the purchase with the new quote in `error.data.quote`
   * - idempotency_key: decided: the same key buys once, whatever the number of calls
   */
  'tariffs.restream.buy': {
    input: {
      project_id: number
      period: 'month' | 'quarter' | 'year'
      plan_restream_id: number
      count_channel?: number | undefined
      bitrate?: number | undefined
      promo_code?: string | undefined
      quote_total?: number | undefined
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get tariff for project. `GET /method/plan_storage`, scope `billing:read`.
   */
  'tariffs.storage.slots': {
    input: { project_id: number }
    output: StorageSlots
  }
  /**
   * Remove next tariff. `DELETE /method/plan_storage`, scope `billing:write`.
   */
  'tariffs.storage.cancelNext': {
    input: { project_id: number; plan_storage_id?: number | undefined }
    output: { success: boolean }
  }
  /**
   * Get info for storage tariff. `GET /method/plan_storage/list`, any token.
   */
  'tariffs.storage.list': {
    input: Record<string, never>
    output: { results: StoragePlan[] }
  }
  /**
   * Get discount of storage. `GET /method/plan_storage/get_discount`, any token.
   * - month: percent
   * - quarter: percent
   * - year: percent
   */
  'tariffs.storage.discount': {
    input: Record<string, never>
    output: Discount
  }
  /**
   * Switch automatic renewal. `POST /method/plan_storage/prolongation`, scope `billing:write`.
   */
  'tariffs.storage.prolongation': {
    input: { project_id: number; enabled: boolean }
    output: { success: boolean }
  }
  /**
   * Get list of storage tariffs for project. `GET /method/plan_storage/list/project`, scope `billing:read`.
   */
  'tariffs.storage.offers': {
    input: { project_id: number }
    output: { results: StoragePlan[] }
  }
  /**
   * Check storage tariff before buy. `GET /method/plan_storage/check`, scope `billing:read`.
   * - amount: minor units, left after the refunds; 0 without a plan
   * - period: decided: default `month`
   */
  'tariffs.storage.check': {
    input: {
      project_id: number
      period?: 'month' | 'quarter' | 'year' | undefined
      promo_code?: string | undefined
      plan_storage_id?: number | undefined
      size?: number | undefined
    }
    output: {
      amount: number
      balance: {
        balance: number
        currency: 'usd' | 'rub'
        balances_allow: Array<'bonus' | 'payment' | 'profit'>
        balances_values: { bonus: number; payment: number; profit: number }
      }
      refund: { current: number; after: number }
      tariff_price_month?: number
      tariff_price_quarter?: number
      tariff_price_year?: number
      sum?: number
      promo_off?: number
      refund_balance?: number
      decrease_balance?: number
      total?: number
      notification?: string
      notification_date?: string
      button_name?: string
      choose_status?: 'new' | 'prolongate' | 'upgrade' | 'downgrade'
      status?: 'new' | 'current' | 'current_upgrade' | 'current_downgrade' | 'upgrade' | 'downgrade'
      units?: number
    }
  }
  /**
   * Buy storage tariff. `POST /method/plan_storage`, scope `billing:write`.
   * - promo_code: decided: a code of type `percent` or `fixed`, used by the purchase
   * - quote_total: decided: `sum` - `refund_current` - `refund_after` as quoted, minor units, negative when the refund exceeds the price; a price that changed since refuses the purchase with the new quote in `error.data.quote`
   * - idempotency_key: decided: the same key buys once, whatever the number of calls
   */
  'tariffs.storage.buy': {
    input: {
      project_id: number
      period: 'month' | 'quarter' | 'year'
      plan_storage_id: number
      size?: number | undefined
      promo_code?: string | undefined
      quote_total?: number | undefined
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
  /**
   * Get tariff for project. `GET /method/plan_transcoding`, scope `billing:read`.
   */
  'tariffs.transcoding.slots': {
    input: { project_id: number }
    output: TranscodingSlots
  }
  /**
   * Remove after tariff. `DELETE /method/plan_transcoding`, scope `billing:write`.
   */
  'tariffs.transcoding.cancelNext': {
    input: { project_id: number; plan_transcoding_id?: number | undefined }
    output: { success: boolean }
  }
  /**
   * Get list of transcoding tariffs. `GET /method/plan_transcoding/list`, any token.
   */
  'tariffs.transcoding.list': {
    input: Record<string, never>
    output: { results: TranscodingPlan[] }
  }
  /**
   * Get discount transcoding. `GET /method/plan_transcoding/get_discount`, any token.
   * - month: percent
   * - quarter: percent
   * - year: percent
   */
  'tariffs.transcoding.discount': {
    input: Record<string, never>
    output: Discount
  }
  /**
   * Switch automatic renewal. `POST /method/plan_transcoding/prolongation`, scope `billing:write`.
   */
  'tariffs.transcoding.prolongation': {
    input: { project_id: number; enabled: boolean }
    output: { success: boolean }
  }
  /**
   * Get list of transcoding tariffs for project. `GET /method/plan_transcoding/list/project`, scope `billing:read`.
   */
  'tariffs.transcoding.offers': {
    input: { project_id: number }
    output: { results: TranscodingPlan[] }
  }
  /**
   * Check transcoding tariff before buy. `GET /method/plan_transcoding/check`, scope `billing:read`.
   * - amount: minor units, left after the refunds; 0 without a plan
   * - period: decided: default `month`
   */
  'tariffs.transcoding.check': {
    input: {
      project_id: number
      period?: 'month' | 'quarter' | 'year' | undefined
      promo_code?: string | undefined
      plan_transcoding_id?: number | undefined
      count?: number | undefined
    }
    output: {
      amount: number
      balance: {
        balance: number
        currency: 'usd' | 'rub'
        balances_allow: Array<'bonus' | 'payment' | 'profit'>
        balances_values: { bonus: number; payment: number; profit: number }
      }
      refund: { current: number; after: number }
      tariff_price_month?: number
      tariff_price_quarter?: number
      tariff_price_year?: number
      sum?: number
      promo_off?: number
      refund_balance?: number
      decrease_balance?: number
      total?: number
      notification?: string
      notification_date?: string
      button_name?: string
      choose_status?: 'new' | 'prolongate' | 'upgrade' | 'downgrade'
      status?: 'new' | 'current' | 'current_upgrade' | 'current_downgrade' | 'upgrade' | 'downgrade'
      units?: number
    }
  }
  /**
   * Buy transcoder tariff. `POST /method/plan_transcoding`, scope `billing:write`.
   * - promo_code: decided: a code of type `percent` or `fixed`, used by the purchase
   * - quote_total: decided: `sum` - `refund_current` - `refund_after` as quoted, minor units, negative when the refund exceeds the price; a price that changed since refuses the purchase with the new quote in `error.data.quote`
   * - idempotency_key: decided: the same key buys once, whatever the number of calls
   */
  'tariffs.transcoding.buy': {
    input: {
      project_id: number
      period: 'month' | 'quarter' | 'year'
      plan_transcoding_id: number
      count?: number | undefined
      promo_code?: string | undefined
      quote_total?: number | undefined
      idempotency_key?: string | undefined
    }
    output: { success: boolean }
  }
}

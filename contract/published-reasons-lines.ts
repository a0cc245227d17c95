// Differences of the transcoding and storage lines, and of transcoders, from the published list.

const guards = {
  '+ parameter period=month|quarter|year': 'operators sell quarters',
  '- parameter period=month|year': 'see above',
  '+ parameter promo_code?': 'a code lowers the price of the purchase',
  '+ parameter quote_total?': 'refuses a price that the buyer has not seen',
  '+ parameter idempotency_key?': 'a repeated call buys once',
}
const quote = {
  '+ parameter period?=month|quarter|year': 'the published check cannot name a plan',
  '+ answer tariff_price_*': 'the fields of the restream quote, so that one panel shows both',
  '+ parameter promo_code?': 'a code lowers the price of the purchase',
  '+ answer promo_off': 'what a code takes off the price',
  '+ answer sum': 'the fields of the restream quote',
  '+ answer refund_balance': 'the fields of the restream quote',
  '+ answer decrease_balance': 'the fields of the restream quote',
  '+ answer total': 'the fields of the restream quote',
  '+ answer notification*': 'the fields of the restream quote',
  '+ answer button_name': 'the fields of the restream quote',
  '+ answer choose_status': 'the fields of the restream quote',
  '+ answer status': 'the fields of the restream quote',
  '+ answer units': 'the quoted quantity',
}
const slot = (name: string, fields: readonly string[]) =>
  Object.fromEntries(
    fields.map((field) => [`+ answer ${name}.${field}`, 'a slot shows its title, dates, and whether it is renewed']),
  )
const slots = (fields: readonly string[]) => ({
  ...slot('before', fields),
  ...slot('current', fields),
  ...slot('next', fields),
})

const transcoderForm = {
  '+ parameter videoCodec?=h264|hevc': 'the earlier snapshot names codecs by numbers that are not published',
  '- parameter videoCodec=h264|hevc': 'the earlier snapshot names codecs by numbers that are not published',

  '+ parameter preset?=*': 'what encoders know, and what keeps up with a stream',
  '- parameter preset?': 'see above',
}

const soldPeriods = (at: string) => ({
  [`+ answer ${at}sold[]`]: 'operators switch periods off',
  [`+ answer ${at}quarter`]: 'operators sell quarters',
})
const catalogue = { list: soldPeriods('results[].discount.'), discount: soldPeriods('') }

export const lineReasons = {
  'tariffs.restream.list': catalogue.list,
  'tariffs.restream.discount': catalogue.discount,
  'tariffs.transcoding.list': catalogue.list,
  'tariffs.transcoding.discount': catalogue.discount,
  'tariffs.storage.list': catalogue.list,
  'tariffs.storage.discount': catalogue.discount,
  'tariffs.transcoding.slots': slots(['date_start', 'resolution', 'fps']),
  'tariffs.transcoding.cancelNext': {
    '+ parameter plan_transcoding_id?': 'a page with old data cannot cancel another plan',
  },
  'tariffs.transcoding.check': {
    ...quote,
    '+ parameter plan_transcoding_id?': 'the published check cannot name a plan',
    '+ parameter count?': 'the published check cannot name a plan',
  },
  'tariffs.transcoding.buy': guards,
  'tariffs.storage.slots': slots(['date_start', 'title', 'prolongation']),
  'tariffs.storage.cancelNext': { '+ parameter plan_storage_id?': 'a page with old data cannot cancel another plan' },
  'tariffs.storage.check': {
    ...quote,
    '+ parameter plan_storage_id?': 'the published check cannot name a plan',
    '+ parameter size?': 'the published check cannot name a plan',
  },
  'tariffs.storage.buy': guards,
  'ingest.transcoders.add': transcoderForm,
  'ingest.transcoders.update': transcoderForm,
} as const

// Russian texts of notifications.
import type { FailedChannel, KindParams } from './kinds.ts'
import type { TitleAndText, Texts } from './texts-types.ts'
import { day, gigabytes, list, minute, plain } from './texts-format.ts'
import { channelReason, renewalReason } from './texts-reasons.ts'

const lines = { restream: 'Рестрим', transcoding: 'Транскодирование', storage: 'Хранилище' }
const stops = {
  restream: 'Проект возвращается на тариф Free. Каналы, которые в него не входят, выключаются.',
  transcoding: 'Транскодеры, которые не входят в тариф Free, выключаются. Их каналы не получают трансляцию.',
  storage: 'Запись остановится, когда закончится место вашего тарифа рестрима.',
}
const channels = {
  email: 'Письмо не дошло до вас',
  telegram: 'Telegram не принял уведомление',
  mobile: 'Браузер не принял уведомление',
  cabinet: 'Уведомление не доставлено',
}

const expires = ({ line, plan, date_end }: KindParams['plan_restream_expires']): TitleAndText => [
  `Тариф «${plan}» закончится ${day('ru', date_end)}`,
  stops[line],
]
const expired = ({ line, plan }: KindParams['plan_restream_expired']): TitleAndText => [
  `Тариф «${plan}» закончился`,
  stops[line],
]
const renewed = ({ line, plan, price }: KindParams['plan_restream_renewed']): TitleAndText => [
  `${lines[line]}: тариф «${plan}» продлён`,
  `Тариф продлён за ${price}. Квитанция — в разделе «Платежи → История».`,
]
const namesOf = (all: readonly FailedChannel[]) =>
  list(
    all.map(({ name }) => name),
    (count) => `ещё ${count}`,
  )
const codec = ({ codec: name, channel }: KindParams['broadcast_unsupported_codec']): TitleAndText => [
  `${plain(channel)} не поддерживает ${plain(name)}`,
  'Зрители там могут ничего не увидеть или не услышать. Смените кодек в энкодере.',
]
const bitrate = ({ words }: KindParams['broadcast_bitrate_exceeded']): TitleAndText => [
  'Битрейт выше лимита тарифа',
  `${words}. Снизьте битрейт в энкодере или выберите тариф с большим лимитом.`,
]

export const ru: Texts = {
  kinds: {
    broadcast_started: () => ['Трансляция началась', 'Ваш поток в эфире.'],
    broadcast_stopped: () => ['Трансляция завершена', 'Показатели и записи — на странице «Трансляции».'],
    broadcast_connecting_lost: () => [
      'Энкодер отключился',
      'Сервер не получает поток. Проверьте энкодер и подключение к сети.',
    ],
    start_channel_failed: ({ channels: all }) => {
      const failed = all.filter((one) => one.failed)
      const [first] = failed
      if (failed.length === 1 && first)
        return [
          `${plain(first.name)} не получает трансляцию`,
          channelReason('ru', first.reason) || 'Попытки подключения продолжаются.',
        ]
      return [`Каналы без трансляции: ${failed.length}`, `${namesOf(failed)}.`]
    },
    start_channel_success: ({ channels: all }) =>
      all.length === 1
        ? [`${namesOf(all)} снова в эфире`, 'Канал получает трансляцию.']
        : ['Все каналы снова в эфире', `${namesOf(all)}.`],
    channel_token_error: ({ platform, account }) => [
      `${platform}: подключите аккаунт ${plain(account)} заново`,
      'Платформа больше не принимает этот аккаунт. Его каналы не запустятся, пока вы не подключите его снова.',
    ],
    channel_api_update_chat_error: ({ platform, account }) => [
      `${platform}: не удаётся читать чат`,
      `Подключите аккаунт ${plain(account)} заново, чтобы читать чат и писать в него.`,
    ],
    stream_unhealthy: () => [
      'Проблемы с входящим потоком',
      'Кадры опаздывают или теряются. Проверьте подключение к сети и нагрузку на энкодер.',
    ],
    broadcast_bitrate_exceeded: bitrate,
    broadcast_bitrate_exceeded_screen: bitrate,
    broadcast_not_audio: () => ['В потоке нет звука', 'Проверьте источники звука в энкодере.'],
    broadcast_unsupported_codec: codec,
    broadcast_unsupported_codec_screen: codec,
    plan_restream_expires: expires,
    plan_transcoder_expires: expires,
    plan_storage_expires: expires,
    plan_restream_expired: expired,
    plan_transcoder_expired: expired,
    plan_storage_expired: expired,
    plan_restream_renewed: renewed,
    plan_transcoder_renewed: renewed,
    plan_storage_renewed: renewed,
    plan_renewal_ahead: ({ line, plan, price, date_end, next }) => [
      `${lines[line]}: тариф «${plan}» скоро продлится`,
      `Тариф действует до ${minute('ru', date_end)}. Автоматическое продление за ${price} начнётся ${minute('ru', next ?? date_end)}. Его можно отключить.`,
    ],
    plan_renewal_failed: ({ line, plan, price, date_end, next, reason }) => [
      next === null
        ? `${lines[line]}: тариф «${plan}» закончится`
        : `${lines[line]}: не удалось продлить тариф «${plan}»`,
      `Продление за ${price} не прошло: ${renewalReason('ru', reason)}. ${next === null ? 'Повторных попыток не будет.' : `Следующая попытка: ${minute('ru', next)}.`} Тариф действует до ${minute('ru', date_end)}.`,
    ],
    payment_failed: ({ amount }) => [
      `Платёж на ${amount} не прошёл`,
      'Деньги не списаны. Попробуйте ещё раз или выберите другой способ оплаты.',
    ],
    storage_nearly_full: ({ percent }) => [
      `Записи занимают ${percent} % хранилища`,
      'Когда место закончится, запись остановится. Удалите записи или увеличьте место.',
    ],
    recordings_removal: ({ removing_at, files, size }) => [
      `Записи будут удалены ${minute('ru', removing_at)}`,
      `Записи вашего проекта занимают больше места, чем доступно. Самые старые из них будут удалены (файлов: ${files}, ${gigabytes('ru', size)} ГБ). До этого скачайте их, удалите другие или увеличьте место.`,
    ],
    request_access_project: ({ project, from }) => [
      `Приглашение в проект «${plain(project)}»`,
      `${plain(from)} приглашает вас в проект.`,
    ],
    request_access_channel: ({ project, channel }) => [
      `«${plain(project)}» делится с вами каналом «${plain(channel)}»`,
      'Примите приглашение, чтобы использовать канал в своём проекте.',
    ],
    new_sign_in: ({ device, date }) => [
      'Новый вход в аккаунт',
      `${plain(device)}, ${minute('ru', date)}. Если это были не вы, завершите сеанс и смените пароль.`,
    ],
    webhook_stopped: ({ host, reason }) => [
      `Вебхук ${host} остановлен`,
      reason === 'secret'
        ? 'Секрет сервера изменился, и вебхук не может подписывать сообщения. Создайте новый секрет вебхука и включите его снова.'
        : 'Адрес не принимал сообщения. Проверьте сервер, на который они отправляются, и включите вебхук снова.',
    ],
    channel_unreachable: ({ channel }) => [channels[channel], 'Проверьте этот способ в настройках уведомлений.'],
    notification_test: () => ['Проверка уведомлений', 'Уведомления приходят сюда.'],
  },
  more: (count) => `Уведомления: ${count}`,
  accept: ['Принять', 'Принято'],
  decline: ['Отклонить', 'Отклонено'],
  open: 'Открыть',
  settings: (url) => `Настройки уведомлений: ${url}`,
  telegram: {
    linked: (name) =>
      `Сюда будут приходить уведомления аккаунта Relaydeck ${plain(name)}. Чтобы отключить их, отправьте /stop.`,
    expired: () => 'Ссылка уже использована или устарела. Получите новую в настройках уведомлений.',
    stopped: () => 'Уведомления больше не будут приходить в этот чат.',
    unknown: () => 'Этот чат не подключён. Откройте ссылку из настроек уведомлений.',
  },
}

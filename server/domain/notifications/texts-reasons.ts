// Reasons of failed channels and renewals in texts of notifications. The dashboard has the same reasons in `live.json`.
import type { Language } from '#contract/core/wire.ts'

type Reasons = Readonly<Record<Language, Readonly<Record<string, string>>>>

const channels: Reasons = {
  en: {
    dns: 'The server name was not found. Check the address.',
    refused: 'The server refused the connection.',
    unreachable: 'The server is unreachable.',
    tls: 'Could not establish a secure connection.',
    timeout: 'The server did not respond in time.',
    forbidden: 'The address is in a private network, which this server does not allow.',
    ended: 'The server closed the connection.',
    'closed-early': 'The server closed the connection right after the start. Check the stream key.',
    protocol: 'The reply was not RTMP. Check the address.',
    socket: 'The connection was lost.',
    'connect-rejected': 'The server rejected the connection. Check the address.',
    'publish-rejected': 'The server rejected the stream. Check the stream key.',
    'platform-refused': 'The platform did not start the broadcast.',
    'key-unreadable': 'The server’s secret has changed since the stream key was saved. Enter the key again.',
    'platform-away': 'Could not get an address from the platform.',
    account: 'The platform no longer accepts this account. Connect it again.',
    stalled: 'The server stopped receiving data.',
    egress: 'The server is at its upload limit. This channel starts when there is room.',
  },
  ru: {
    dns: 'Имя сервера не найдено. Проверьте адрес.',
    refused: 'Сервер отказал в подключении.',
    unreachable: 'Сервер недоступен.',
    tls: 'Не удалось установить защищённое соединение.',
    timeout: 'Сервер не ответил вовремя.',
    forbidden: 'Адрес находится в частной сети, на этом сервере это запрещено.',
    ended: 'Сервер закрыл соединение.',
    'closed-early': 'Сервер закрыл соединение сразу после начала. Проверьте ключ потока.',
    protocol: 'Ответ пришёл не по RTMP. Проверьте адрес.',
    socket: 'Соединение потеряно.',
    'connect-rejected': 'Сервер отклонил подключение. Проверьте адрес.',
    'publish-rejected': 'Сервер отклонил поток. Проверьте ключ потока.',
    'platform-refused': 'Платформа отказалась начинать трансляцию.',
    'key-unreadable': 'Секрет сервера изменился после сохранения ключа потока. Введите ключ ещё раз.',
    'platform-away': 'Не удалось получить адрес у платформы.',
    account: 'Платформа больше не принимает этот аккаунт. Подключите его заново.',
    stalled: 'Сервер перестал принимать данные.',
    egress: 'Исходящий канал сервера заполнен. Трансляция начнётся, когда освободится место.',
  },
  cn: {
    dns: '找不到服务器域名，请检查地址。',
    refused: '服务器拒绝了连接。',
    unreachable: '无法连接到服务器。',
    tls: '无法建立加密连接。',
    timeout: '服务器响应超时。',
    forbidden: '该地址位于内网，此服务器不允许。',
    ended: '服务器关闭了连接。',
    'closed-early': '刚开始推流服务器就断开了连接，请检查推流码。',
    protocol: '响应不是 RTMP，请检查地址。',
    socket: '连接中断。',
    'connect-rejected': '服务器拒绝了连接，请检查地址。',
    'publish-rejected': '服务器拒绝了直播流，请检查推流码。',
    'platform-refused': '平台拒绝开始直播。',
    'key-unreadable': '保存推流码后，服务器的主密钥已更改。请重新输入推流码。',
    'platform-away': '无法从平台获取推流地址。',
    account: '平台不再接受该账号，请重新连接。',
    stalled: '服务器停止接收数据。',
    egress: '服务器上行带宽已达上限，有余量时此频道会自动开始。',
  },
}

const renewals: Reasons = {
  en: {
    no_method: 'the balance is too low and no payment method is saved',
    insufficient_funds: 'insufficient funds',
    card_expired: 'the card has expired',
    price_not_announced: 'the price has risen without a notice a week ahead',
    balance_spent: 'the charged money was spent',
  },
  ru: {
    no_method: 'на балансе недостаточно денег, а способ оплаты не сохранён',
    insufficient_funds: 'недостаточно средств',
    card_expired: 'срок действия карты истёк',
    price_not_announced: 'цена выросла без уведомления за неделю',
    balance_spent: 'списанные деньги потрачены',
  },
  cn: {
    no_method: '余额不足，且未保存付款方式',
    insufficient_funds: '资金不足',
    card_expired: '银行卡已过期',
    price_not_announced: '价格上涨，且未提前一周通知',
    balance_spent: '已扣款项已被使用',
  },
}

/** Returns a sentence about the reason of a failed channel; empty for an unknown reason. */
export const channelReason = (language: Language, reason: string | null): string =>
  reason === null ? '' : (channels[language][reason] ?? '')

/** Returns the reason of a failed renewal; other reasons are codes of the provider. */
export const renewalReason = (language: Language, reason: string | null): string =>
  reason === null ? '' : (renewals[language][reason] ?? reason)

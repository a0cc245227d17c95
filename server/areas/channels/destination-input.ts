// Addresses, keys and names from forms: read, or refused by the name of the field that they stood in.
import { pageAddress } from '#contract/entities/hosts.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Call } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { type AddressFault, type Destination, readAddress } from '#server/domain/channels/destinations.ts'
import type { Language } from '#contract/core/wire.ts'

// Validation messages for channel forms, in the languages of the wire; shown beneath the field.

/** Faults of addresses, of the platform they are for, and of the fields beside them. */
type InputFault = AddressFault | 'not_srt' | 'not_rtmp' | 'stream_key' | 'page' | 'empty'

const texts: Readonly<Record<Language, Readonly<Record<InputFault, string>>>> = {
  en: {
    unreadable: 'Enter an address such as rtmp://host/application',
    protocol: 'The address must start with rtmp:// or rtmps://',
    not_srt: 'The address must start with srt://',
    not_rtmp: 'The address must start with rtmp:// or rtmps://',
    credentials: 'Remove the user name and password from the address; the stream key has its own field',
    application: 'Add the application name, such as /live',
    port: 'Add the port, such as :9000',
    private: 'This address is in a private network, which this server does not allow',
    srt_parameter: 'SRT addresses allow only streamid, passphrase, pbkeylen, latency and mode=caller',
    stream_key: 'The stream key contains a space or a line break',
    page: 'Enter the address of the channel page, such as https://kick.com/name',
    empty: 'Enter a name',
  },
  ru: {
    unreadable: 'Введите адрес вида rtmp://сервер/приложение',
    protocol: 'Адрес должен начинаться с rtmp:// или rtmps://',
    not_srt: 'Адрес должен начинаться с srt://',
    not_rtmp: 'Адрес должен начинаться с rtmp:// или rtmps://',
    credentials: 'Уберите из адреса имя и пароль; для ключа потока есть своё поле',
    application: 'Добавьте имя приложения, например /live',
    port: 'Добавьте порт, например :9000',
    private: 'Этот адрес находится в частной сети, на этом сервере это запрещено',
    srt_parameter: 'В адресе SRT допустимы только streamid, passphrase, pbkeylen, latency и mode=caller',
    stream_key: 'В ключе потока есть пробел или перенос строки',
    page: 'Введите адрес страницы канала, например https://kick.com/name',
    empty: 'Введите название',
  },
  cn: {
    unreadable: '请输入地址，例如 rtmp://主机/应用',
    protocol: '地址应以 rtmp:// 或 rtmps:// 开头',
    not_srt: '地址应以 srt:// 开头',
    not_rtmp: '地址应以 rtmp:// 或 rtmps:// 开头',
    credentials: '请勿在地址中填写用户名和密码；推流码有单独的输入框',
    application: '请添加应用名称，例如 /live',
    port: '请添加端口，例如 :9000',
    private: '该地址位于内网，此服务器不允许',
    srt_parameter: 'SRT 地址只支持 streamid、passphrase、pbkeylen、latency 和 mode=caller',
    stream_key: '推流码中含有空格或换行',
    page: '请输入频道主页的地址，例如 https://kick.com/name',
    empty: '请输入名称',
  },
}

type Ctx = Pick<Call, 'config' | 'language'>

/** A refusal of one field, in the caller's language; `address_*` is what programs know it by. */
function refusal({ language }: Pick<Ctx, 'language'>, property: string, fault: InputFault): ValidationError {
  const name = property.endsWith('url') && fault !== 'page' ? `address_${fault}` : fault
  return new ValidationError([{ property, constraints: { [name]: texts[language][fault] } }])
}

/** Where the address stood, and of which platform the channel is. */
interface Field {
  readonly property: 'rtmp_url' | 'ingress_url' | 'url'
  readonly type?: PlatformType
}

/** Reads an address. @throws ValidationError that names the field and the fault */
export function destinationOf(ctx: Ctx, text: string, { property, type }: Field): Destination {
  const read = readAddress(text, ctx.config)
  if ('fault' in read)
    throw refusal(ctx, property, type === 'srt' && read.fault === 'protocol' ? 'not_srt' : read.fault)
  if (type === undefined) return read
  const srt = read.protocol === 'srt'
  if (srt !== (type === 'srt')) throw refusal(ctx, property, srt ? 'not_rtmp' : 'not_srt')
  return read
}

/** A key as it was pasted, without the white space around it. @throws ValidationError for one that cannot be sent */
export function streamKeyOf(ctx: Ctx, text: string): string {
  const key = text.trim()
  if (/[\s\p{Cc}]/u.test(key)) throw refusal(ctx, 'stream_key', 'stream_key')
  return key
}

/** A name without the white space around it. @throws ValidationError when nothing is left */
export function nameOf(ctx: Ctx, text: string): string {
  const name = text.trim()
  if (name === '') throw refusal(ctx, 'name', 'empty')
  return name
}

/** The page of a channel, and the name that stands at its end. @throws ValidationError when it is no web address */
export function pageOf(ctx: Ctx, text: string): { readonly url: string; readonly name: string } {
  const url = URL.parse(pageAddress(text) ?? '')
  if (!url) throw refusal(ctx, 'channel_url', 'page')
  const last = url.pathname.split('/').findLast((part) => part !== '')
  return { url: url.href, name: last ?? url.hostname }
}

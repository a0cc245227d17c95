// What is wrong with what somebody typed, in the languages of the wire; it stands beneath the field.
import type { Language } from '#contract/core/wire.ts'
import type { AddressFault } from '#server/domain/channels/destinations.ts'

/** Faults of addresses, of the platform they are for, and of the fields beside them. */
export type InputFault = AddressFault | 'not_srt' | 'not_rtmp' | 'stream_key' | 'page' | 'empty'

export const texts: Readonly<Record<Language, Readonly<Record<InputFault, string>>>> = {
  en: {
    unreadable: 'Enter an address such as rtmp://host/application',
    protocol: 'The address has to begin with rtmp://, rtmps:// or srt://',
    not_srt: 'The address has to begin with srt://',
    not_rtmp: 'The address has to begin with rtmp:// or rtmps://',
    credentials: 'Leave name and password out of the address; the stream key has a field of its own',
    application: 'The name of the application is missing, such as /live',
    port: 'The port is missing, such as :9000',
    private: 'This address is inside a private network, where streams may not go',
    srt_parameter: 'SRT addresses take streamid, passphrase, pbkeylen, latency and mode=caller only',
    stream_key: 'The key has a space or a line break in it',
    page: 'Enter the address of the channel’s page, such as https://kick.com/name',
    empty: 'Enter a name',
  },
  ru: {
    unreadable: 'Введите адрес вида rtmp://сервер/приложение',
    protocol: 'Адрес должен начинаться с rtmp://, rtmps:// или srt://',
    not_srt: 'Адрес должен начинаться с srt://',
    not_rtmp: 'Адрес должен начинаться с rtmp:// или rtmps://',
    credentials: 'Уберите из адреса имя и пароль; для ключа трансляции есть своё поле',
    application: 'Не хватает имени приложения, например /live',
    port: 'Не хватает порта, например :9000',
    private: 'Этот адрес находится в частной сети, туда трансляции не отправляются',
    srt_parameter: 'В адресе SRT допустимы только streamid, passphrase, pbkeylen, latency и mode=caller',
    stream_key: 'В ключе есть пробел или перенос строки',
    page: 'Введите адрес страницы канала, например https://kick.com/name',
    empty: 'Введите название',
  },
  cn: {
    unreadable: '请输入地址，例如 rtmp://主机/应用',
    protocol: '地址须以 rtmp://、rtmps:// 或 srt:// 开头',
    not_srt: '地址须以 srt:// 开头',
    not_rtmp: '地址须以 rtmp:// 或 rtmps:// 开头',
    credentials: '请不要在地址中写用户名和密码；推流密钥有单独的输入框',
    application: '缺少应用名称，例如 /live',
    port: '缺少端口，例如 :9000',
    private: '该地址位于专用网络内，不能向其推流',
    srt_parameter: 'SRT 地址只接受 streamid、passphrase、pbkeylen、latency 和 mode=caller',
    stream_key: '密钥中含有空格或换行',
    page: '请输入频道页面的地址，例如 https://kick.com/name',
    empty: '请输入名称',
  },
}

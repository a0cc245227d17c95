// Texts of papers in the languages of the service.
import type { Language } from '#contract/core/wire.ts'
import type { PaperItem, PaperKind } from '#server/domain/billing/papers/paper.ts'

interface PaperTexts {
  readonly kind: Readonly<Record<PaperKind, string>>
  readonly what: Readonly<Record<PaperItem['what'], string>>
  readonly period: Readonly<Record<'month' | 'year', string>>
  readonly date: string
  readonly seller: string
  readonly buyer: string
  readonly taxId: string
  readonly item: string
  readonly amount: string
  readonly total: string
  readonly due: string
  readonly refunded: string
  readonly paidWith: string
  readonly corrects: string
  /** `%s`: label and rate of the tax. */
  readonly including: string
  /** Between a label and its value. */
  readonly colon: string
  /** Between two parts of a description. */
  readonly comma: string
  readonly download: string
  readonly print: string
}

export const paperTexts: Readonly<Record<Language, PaperTexts>> = {
  en: {
    kind: { receipt: 'Receipt', invoice: 'Invoice', credit_note: 'Credit note' },
    what: {
      topup: 'Balance top-up',
      restream: 'Restream plan',
      transcoding: 'Transcoding plan',
      storage: 'Storage plan',
    },
    period: { month: '1 month', year: '1 year' },
    date: 'Date',
    seller: 'Seller',
    buyer: 'Bill to',
    taxId: 'Tax ID',
    item: 'Description',
    amount: 'Amount',
    total: 'Total paid',
    due: 'Amount due',
    refunded: 'Total refunded',
    paidWith: 'Payment method',
    corrects: 'Refers to',
    including: 'including %s',
    colon: ': ',
    comma: ', ',
    download: 'Download PDF',
    print: 'To print this page, use the print command of your browser.',
  },
  ru: {
    kind: { receipt: 'Квитанция', invoice: 'Счёт', credit_note: 'Кредит-нота' },
    what: {
      topup: 'Пополнение баланса',
      restream: 'Тариф рестрима',
      transcoding: 'Тариф транскодирования',
      storage: 'Тариф хранилища',
    },
    period: { month: '1 месяц', year: '1 год' },
    date: 'Дата',
    seller: 'Продавец',
    buyer: 'Покупатель',
    taxId: 'ИНН',
    item: 'Наименование',
    amount: 'Сумма',
    total: 'Оплачено',
    due: 'К оплате',
    refunded: 'Возвращено',
    paidWith: 'Способ оплаты',
    corrects: 'К документу',
    including: 'в том числе %s',
    colon: ': ',
    comma: ', ',
    download: 'Скачать PDF',
    print: 'Чтобы распечатать страницу, используйте команду печати в браузере.',
  },
  cn: {
    kind: { receipt: '收据', invoice: '账单', credit_note: '贷项通知单' },
    what: { topup: '余额充值', restream: '转播套餐', transcoding: '转码套餐', storage: '存储套餐' },
    period: { month: '1 个月', year: '1 年' },
    date: '日期',
    seller: '销售方',
    buyer: '购买方',
    taxId: '税号',
    item: '项目',
    amount: '金额',
    total: '已付总额',
    due: '应付金额',
    refunded: '退款总额',
    paidWith: '付款方式',
    corrects: '关联单据',
    including: '含 %s',
    colon: '：',
    comma: '，',
    download: '下载 PDF',
    print: '如需打印，请使用浏览器的打印功能。',
  },
}

// Differences of notifications from the published list, see `published-reasons.ts`.

/** Fields of a notification beyond the published ones. */
const notification = (at = '') => ({
  [`+ answer ${at}id`]: 'the earlier snapshot has it',
  [`+ answer ${at}name`]: 'the kind, which the published filter knows',
  [`+ answer ${at}level`]: 'how grave it is',
  [`+ answer ${at}link`]: 'the page that it leads to',
  [`+ answer ${at}deliveries*`]: 'whether it arrived outside the dashboard',
})

export const notificationReasons = {
  'notifications.history.list': {
    '+ parameter name?=*': 'own kinds can be filtered as well',
    '- parameter name?=*': 'own kinds can be filtered as well',
    '+ parameter channel?=telegram|cabinet|mobile|email': 'e-mail is a channel as well',
    '- parameter channel?=telegram|cabinet|mobile': 'e-mail is a channel as well',
    '+ parameter category?=important|stream': 'each row has a category to filter by',
    ...notification('results[].'),
  },
  'notifications.history.get': notification(),
  'notifications.history.runAction': notification(),
  'notifications.settings.get': {
    '+ answer channels.email': 'e-mail is a channel as well',
    '+ answer relation.email[]': 'e-mail is a channel as well',
    '+ answer caps*': 'how many e-mails are sent at most',
  },
  'notifications.settings.set': {
    '+ parameter notify_channel=telegram|cabinet|mobile|email': 'e-mail is a channel as well',
    '- parameter notify_channel=telegram|cabinet|mobile': 'e-mail is a channel as well',
  },
  'notifications.settings.screen': {
    '+ answer actions[].done': 'of later versions: whether the action has been run',
  },
} as const

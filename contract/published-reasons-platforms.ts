// Differences of the accounts at platforms from the published list, see `published-reasons.ts`.
/** Kick has an API since the description was published. */
const kickAccounts = {
  '+ parameter platform=vk|vk-id|ok|youtube|trovo|twitch|vkvideolive|kick': 'accounts of Kick',
  '- parameter platform=vk|vk-id|ok|youtube|trovo|twitch|vkvideolive': 'accounts of Kick',
}
const platformCallback = {
  '+ parameter state?': 'a provider that failed may come back without it, and then gets a clear refusal',
  '- parameter state': 'optional, see above',
  '+ parameter code?': 'what the provider adds when it agreed',
  '+ parameter error?': 'what the provider adds when it refused',
  '+ parameter device_id?': 'what VK ID adds, and wants to see again',
  '+ parameter iss?': 'issuer of the response (RFC 9207)',
  'status 302, not 200': 'the browser returns to the dashboard, where the user that started confirms',
}
const redirectParameter = { '+ parameter redirect?': 'the dashboard may be at another origin' }

/** Operation id, then difference: reason. */
export const platformReasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'channels.platforms.accounts': {
    '+ answer results[].chat': 'the dashboard offers to connect the account again with chat',
    '+ parameter platform?=vk|vk-id|ok|youtube|trovo|twitch|vkvideolive|kick': 'left out: all of them in one call',
    '- parameter platform=vk|vk-id|ok|youtube|trovo|twitch|vkvideolive': 'left out: all of them in one call',
    '+ answer results[].platform': 'which platform it belongs to, when all are listed',
    '+ answer results[].channels': 'what is lost when it is removed',
  },
  'channels.platforms.accountRemove': kickAccounts,
  'channels.platforms.logout': {
    ...kickAccounts,
    '+ answer success': 'the body that the other published status has',
    '- answer results[].subList*': 'published with the response of another operation, whose rows have rows',
  },
  'channels.platforms.connect': {
    ...redirectParameter,
    ...kickAccounts,
    '+ parameter chat?': 'permissions of chat are a choice',
  },
  'channels.platforms.connectCommunity': redirectParameter,
  'channels.platforms.callbackVkId': platformCallback,
  'channels.platforms.callbackCommunity': platformCallback,
  'channels.platforms.callback': {
    ...platformCallback,
    '+ parameter provider=*': 'published as a part of the path, without its type',
  },
  'channels.platforms.list': {
    '+ answer results[].ingests*': 'a person pastes only the key',
    '+ answer results[].hosts*': 'which addresses need a tariff with custom channels',
    '+ answer results[].own_url': 'the user has to paste the address as well',
    '+ answer results[].key_url': 'where a person finds the key',
    '+ answer results[].oauth_ready': 'whether accounts can be connected here',
    '+ answer results[].bot_ready': 'whether chats of Telegram can be connected here',
    '+ answer results[].missing_settings*': 'what the operator sets so that accounts can be connected',
  },
}

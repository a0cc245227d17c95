// Differences of the handbook, the blog and the policies from the published list, see `published-reasons.ts`.
const tree = {
  '+ answer result.blocks*': 'the text as a tree: the dashboard shows no HTML',
  '+ answer result.platforms[]': 'the platforms that an article is about',
}
const textId = { '- answer results[]._id.type': 'published as an object: the id is text here, as in the handbook' }
const tags = {
  '+ answer results[].tags[].*': 'published as an object without fields',
  ...textId,
}

/** Operation id, then difference: reason. */
export const helpReasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'help.articles.get': tree,
  'help.articles.search': {
    '+ answer results[].snippet': 'the place that matches',
    '+ answer results[].anchor': 'the place that matches, for a link to it',
  },
  'help.blog-pages.get': { ...tags, '+ answer results[].blocks*': 'the text as a tree: the dashboard shows no HTML' },
  'help.blog-pages.list': { ...tags, '+ parameter tag?': 'posts with one tag' },
  'help.blog-tags.list': textId,
}

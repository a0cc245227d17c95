// React's development build makes an `Error` for each element that a page creates, to name its owner: a sixth of the processor
// time of page tests. Its warnings and errors come without it, as after the first 10,000 elements of a second.
import * as React from 'react'

const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
const counter = 'recentlyCreatedOwnerStacks'
if (!(counter in internals)) throw new Error(`React has no ${counter} any more`)
Object.defineProperty(internals, counter, { configurable: true, get: () => Infinity, set() {} })

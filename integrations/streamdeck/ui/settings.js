// Settings page of the plugin: what Stream Deck shows beside a key. Stream Deck calls `connectElgatoStreamDeckSocket`.

const part = (id) => document.getElementById(id)
const troubles = {
  settings: 'Enter the address and an API token.',
  token: 'The service refuses the token.',
  scopes: 'The token lacks a scope.',
  project: 'Enter the number of the project.',
  offline: 'The service does not respond. The plugin tries again.',
}

globalThis.connectElgatoStreamDeckSocket = (port, uuid, registerEvent, _info, about) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  const { action, payload } = JSON.parse(about)
  const send = (message) => socket.send(JSON.stringify({ context: uuid, ...message }))
  let settings = payload.settings
  part('of-key').hidden = !action.endsWith('.channel')

  const showChannels = (channels) => {
    part('channel').replaceChildren(
      new Option('', ''),
      ...channels.map(({ id, name }) => new Option(name, id, false, id === settings.channel)),
    )
  }
  part('channel').onchange = ({ target }) => {
    settings = { ...settings, channel: Number(target.value) }
    send({ event: 'setSettings', payload: settings })
  }
  for (const id of ['url', 'token', 'project'])
    part(id).onchange = () => {
      const [url, token, project] = [
        part('url').value.trim(),
        part('token').value.trim(),
        Number(part('project').value),
      ]
      send({ event: 'setGlobalSettings', payload: { url, token, project } })
    }

  socket.onopen = () => {
    send({ event: registerEvent, uuid })
    send({ event: 'getGlobalSettings' })
  }
  socket.onmessage = ({ data }) => {
    const { event, payload: content } = JSON.parse(data)
    if (event === 'didReceiveGlobalSettings') {
      const { url = '', token = '', project = 0 } = content.settings
      part('url').value = url
      part('token').value = token
      part('project').value = project > 0 ? project : ''
    }
    if (event === 'didReceiveSettings') settings = content.settings
    if (event === 'sendToPropertyInspector') {
      part('state').textContent = troubles[content.trouble] ?? 'Connected.'
      showChannels(content.channels)
    }
  }
}

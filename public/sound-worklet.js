// Audio worklet of streams from the browser: collects 20 ms of samples and posts them with their time.

/** Samples of a message. */
const size = 960

class Sound extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super()
    this.count = processorOptions.channels
    this.begin()
  }

  begin() {
    this.channels = Array.from({ length: this.count }, () => new Float32Array(size))
    this.filled = 0
    this.time = 0
  }

  process([input]) {
    // Without a source there are no channels: silence.
    const frames = input[0]?.length ?? 128
    for (let at = 0; at < frames; at++) {
      if (this.filled === 0) this.time = currentTime + at / sampleRate
      for (const [index, channel] of this.channels.entries()) channel[this.filled] = input[index]?.[at] ?? 0
      this.filled++
      if (this.filled === size) this.post()
    }
    return true
  }

  post() {
    const { channels, time } = this
    this.port.postMessage(
      { channels, time },
      channels.map(({ buffer }) => buffer),
    )
    this.begin()
  }
}

registerProcessor('relaydeck-sound', Sound)

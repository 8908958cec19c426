// Search from disk: browsers start no worker there, so its script runs in a hidden frame.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.srcdoc = "<!doctype html><body></body>"
      const opened = new Promise((done) => this.frame.addEventListener("load", done, { once: true }))
      this.started = opened.then(() => this.start(new URL(address, location)))
      document.body.append(this.frame)
    }

    start(address) {
      const inside = this.frame.contentWindow
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = inside.document.createElement("script")
      script.src = address
      const loaded = new Promise((done, failed) => {
        script.addEventListener("load", done)
        script.addEventListener("error", failed)
      })
      inside.document.body.append(script)
      return loaded
    }

    postMessage(data) {
      const deliver = () =>
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }))
      this.started.then(deliver)
    }

    terminate() {
      this.frame.remove()
    }
  }
  window.Worker = window.IFrameWorker
}

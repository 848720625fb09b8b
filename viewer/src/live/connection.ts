// The WebSocket of a live session; opens again by itself when it breaks.
import type { Message } from './messages';

export interface Listener {
  message(m: Message): void;
  state(bytes: ArrayBuffer): void;
  open(on: boolean): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private wait = 250; // ms until the next try
  private ended = false;

  constructor(private readonly address: string, private readonly to: Listener) {
    this.connect();
  }

  send(message: object): void {
    // What cannot go out now is not worth sending later.
    if (this.socket?.readyState === WebSocket.OPEN && this.socket.bufferedAmount < 16384) this.socket.send(JSON.stringify(message));
  }
  close(): void {
    this.ended = true;
    this.socket?.close();
  }
  /// For tests: as if the network had gone.
  drop(): void {
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.to.open(true);
    };
    socket.onmessage = (e) => {
      if (e.data instanceof ArrayBuffer) this.to.state(e.data);
      else this.to.message(JSON.parse(String(e.data)) as Message);
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.ended) return;
      this.to.open(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(4000, 2 * this.wait);
    };
  }
}

export const liveAddress = (): string => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live`;

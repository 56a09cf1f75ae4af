// What an AudioWorkletGlobalScope has beside the names of other scopes, for the check of types (scripts/check-page.sh).
declare const sampleRate: number;
declare const currentTime: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

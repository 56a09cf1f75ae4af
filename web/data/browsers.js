/** What browsers and their machines are called, by what they send. */

/** @type {[RegExp, string][]} The first that fits: most browsers name others, too. */
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'], [/OPR\/|Opera/, 'Opera'], [/SamsungBrowser\//, 'Samsung Internet'],
  [/Vivaldi\//, 'Vivaldi'], [/Firefox\/|FxiOS\//, 'Firefox'], [/Chromium\//, 'Chromium'],
  [/Chrome\/|CriOS\//, 'Chrome'], [/Safari\//, 'Safari'], [/^curl\//, 'curl'],
];

/** @type {[RegExp, string][]} */
const machines = [
  [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Windows/, 'Windows'], [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'Mac'], [/Linux|X11/, 'Linux'],
];

/**
 * In words, such as "Firefox on Linux".
 * @param {string} agent
 */
export function browserName(agent) {
  const nameOf = (/** @type {[RegExp, string][]} */ known) => known.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, machine] = [nameOf(browsers), nameOf(machines)];
  if (!browser) return machine ? `A browser on ${machine}` : agent.split(/[\s/]/)[0] || 'A browser';
  return machine ? `${browser} on ${machine}` : browser;
}

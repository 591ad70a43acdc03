// webpack loader for the part of React that draws into one string: it appends some thousand parts to it, and an engine that copies
// a string each time it grows spends half of a drawing on that. Here they are joined once.
const CHANGES = [
  ['result = "",', 'result = [],'],
  ['(result += chunk)', 'result.push(chunk)'],
  ['return result;', 'return result.join("");'],
];

module.exports = function stringInParts(source) {
  const at = source.indexOf('function renderToStringImpl(');
  const changed = CHANGES.reduce((text, [found, change]) => {
    if (!text.includes(found))
      throw new Error(`React's renderToString is written otherwise now: no ${found}`);
    return text.replace(found, change);
  }, source.slice(at));
  return source.slice(0, at) + changed;
};

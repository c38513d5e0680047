// How every script of the book makes an element, also in a picture. What stands in it is text:
// nothing here makes markup of a string.
(() => {
  "use strict";
  const make = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.filter((child) => child !== undefined));
    return node;
  };
  window.nodes = {
    el: (name, attributes = {}, ...children) =>
      make(document.createElement(name), attributes, children),
    svg: (name, attributes = {}, ...children) =>
      make(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children),
  };
})();

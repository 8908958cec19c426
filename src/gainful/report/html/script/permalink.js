"use strict";
// The address of a query: #q= and its id.
(function (gainful) {
  // Ids that are no text of whole characters cannot be written in an address; their number can.
  function to(i) {
    try {
      return `#q=${encodeURIComponent(gainful.bulk.queries[i])}`;
    } catch (error) {
      return `#n=${i}`;
    }
  }

  // What an address asks for: null if for no query, else its number, or the id that is not known.
  function asked() {
    const [, kind, text] = /^#([qn])=(.*)$/s.exec(location.hash) || [];
    if (kind === undefined || text === "") return null;
    if (kind === "n") return {
      query: gainful.bulk.queries[Number(text)] === undefined ? undefined : Number(text),
      id: text,
    };
    const id = decoded(text);
    return { query: gainful.numberOf.get(id), id };
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (error) {
      return text;
    }
  }

  // Without a trace in the history, so that "back" leads where the reader came from.
  function clear() {
    history.replaceState(null, "", location.pathname + location.search);
  }

  gainful.permalink = { to, asked, clear };
})((window.gainful = window.gainful || {}));

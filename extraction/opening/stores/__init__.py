"""One module a kind of object store, each on its maker's own library: names -> a lazy listing; a name -> the first bytes of its object."""

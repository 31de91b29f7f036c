//! Elements of lists that come and go.

//! What crosses the border to the page: addresses and lengths of bytes.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use tree_sitter_language::LanguageFn;

use crate::engine::{self, Open};

thread_local! {
    static OPEN: RefCell<Open> = RefCell::default();
}

/// Room for `length` bytes that the page writes; a call takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn cst_room(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes that the page wrote into its room.
///
/// # Safety
/// The address is that of [`cst_room`] with the same length, and is not used again.
unsafe fn take(address: *mut u8, length: usize) -> Vec<u8> {
    let slice = std::ptr::slice_from_raw_parts_mut(address, length);
    // Sound by the contract above.
    unsafe { Box::from_raw(slice) }.into_vec()
}

/// Adds a language before the first question: `grammar` is the index of the function `tree_sitter_…` in the table, and the bytes are the
/// data of the language as JSON. The answer is that of [`cst_call`].
///
/// # Safety
/// The index is of such a function; for the bytes see [`take`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cst_add(grammar: usize, address: *mut u8, length: usize) -> *mut u8 {
    keep_panics();
    // A pointer to a function is its index in the table.
    let function: unsafe extern "C" fn() -> *const () = unsafe { std::mem::transmute(grammar) };
    let grammar = unsafe { LanguageFn::from_raw(function) };
    give(engine::add(grammar, &unsafe { take(address, length) }))
}

/// Answers a question: `{"method", "params"}` to `{"result"}` or `{"error": {"message", "data"}}`. The answer is at the address that is
/// returned: four bytes with its length, then its bytes. They are for the page to read before it asks again.
///
/// # Safety
/// See [`take`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cst_call(address: *mut u8, length: usize) -> *mut u8 {
    let question = unsafe { take(address, length) };
    give(OPEN.with_borrow_mut(|open| open.answer(&question)))
}

/// Leaves an answer for the page, until the next one.
fn give(answer: Vec<u8>) -> *mut u8 {
    thread_local! {
        static LAST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    let length = u32::try_from(answer.len()).unwrap_or(u32::MAX);
    LAST.with_borrow_mut(|last| {
        last.clear();
        last.extend(length.to_le_bytes());
        last.extend(answer);
        last.as_mut_ptr()
    })
}

/// The message of the last panic, as [`cst_call`] gives an answer: after one, the instance is of no use for anything else.
#[unsafe(no_mangle)]
pub extern "C" fn cst_panicked() -> *mut u8 {
    give(PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone().into_bytes())
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the messages of panics.
fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
}
